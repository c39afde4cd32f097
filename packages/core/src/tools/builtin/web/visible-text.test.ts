import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test.each([
  ["<h1>Title</h1><p>Some <b>bold</b> text</p>", "Title\n\nSome bold text"],
  ["a<script>if (x < 1) steal()</script>b<STYLE>p{}</STYLE>c", "abc"],
  ["a<!-- <b> hidden -->b<!doctype html>c<?xml ?>d", "abcd"],
  ["1 < 2 &amp;&lt; 3 &#233;&#xE9; &nope; &#0; &#9999999;", "1 < 2 &< 3 éé &nope; &#0; &#9999999;"],
  ["text<script>never closed", "text"],
  ["text<!-- never closed", "text"],
  ["text<div never closed", "text"],
  ["<pre>a   b</pre>", "a b"],
])("%j shows %j", (html, text) => expect(visibleText(html).text).toBe(text));

test("elements and depth are counted; ends that may be left out say nothing", () => {
  expect(visibleText("<div><div><p>a<p>b<br></div></div><div></div>")).toMatchObject({ elements: 6, depth: 2 });
});

test.each(["<script", "<script>", "</script", "<!--", "<", "</", "<div ", "&", "&#", "<a href='"])(
  "a page of nothing but %j takes no longer than it is",
  (piece) => {
    const startedAt = performance.now();
    visibleText(`<script>${piece.repeat(250_000 / piece.length)}`);
    visibleText(piece.repeat(500_000 / piece.length));
    expect(performance.now() - startedAt).toBeLessThan(10_000); // quadratic, it takes minutes
  },
);
