import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

const never = new AbortController().signal;

test.each([
  ["<h1>Title</h1><p>Some <b>bold</b> text</p>", "Title\n\nSome bold text"],
  ["a<script>if (x < 1) steal()</script>b<STYLE>p{}</STYLE>c", "abc"],
  ["a<!-- <b> hidden -->b<!doctype html>c<?xml ?>d", "abcd"],
  ["1 < 2 &amp;&lt; 3 &#233;&#xE9; &nope; &#0; &#9999999;", "1 < 2 &< 3 éé &nope; &#0; &#9999999;"],
  ["text<script>never closed", "text"],
  ["text<!-- never closed", "text"],
  ["text<div never closed", "text"],
  ["<pre>a   b</pre>", "a b"],
  ["<p>a</p> \n <p>b<br>c \t d</p>", "a\n\nb\nc d"],
])("%j shows %j", async (html, text) => {
  expect((await visibleText(html, never)).text).toBe(text);
});

test("elements and depth are counted; ends that may be left out say nothing", async () => {
  expect(await visibleText("<div><div><p>a<p>b<br></div></div><div></div>", never)).toMatchObject({
    elements: 6,
    depth: 2,
  });
});

test.each(["<script", "<script>", "</script", "<!--", "<", "</", "<div ", "&", "&#", "<a href='", "<b>", "\n", " \n"])(
  "a page of nothing but %j takes no longer than it is",
  async (piece) => {
    const startedAt = performance.now();
    await visibleText(`<script>${piece.repeat(250_000 / piece.length)}`, never);
    await visibleText(piece.repeat(500_000 / piece.length), never);
    expect(performance.now() - startedAt).toBeLessThan(10_000); // quadratic, it takes minutes
  },
);

test("a page of a million tags lets others have their turn, and can be given up", async () => {
  const aborting = new AbortController();
  setTimeout(() => aborting.abort(), 50);
  await expect(visibleText("<b>".repeat(2_000_000), aborting.signal)).rejects.toMatchObject({ name: "AbortError" });
});
