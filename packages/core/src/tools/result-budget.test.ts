import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContentBlock, ToolUseId } from "../messages/message.ts";
import { boundMessage, boundResult, cutText, MAX_MESSAGE_CHARS } from "./result-budget.ts";
import type { WrittenResult } from "./tool-result.ts";

const image: ContentBlock = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "x".repeat(90_000) },
};

function storage() {
  const texts: string[] = [];
  const store = async (text: string) => `/stored/${texts.push(text)}`;
  return { texts, store };
}

const written = (id: string, content: string | ContentBlock[]): WrittenResult => ({
  block: { type: "tool_result", tool_use_id: id as ToolUseId, content },
  structured: { of: id },
});

const lengthOf = ({ block }: WrittenResult) => block.content.length;

test("a text within the limit stays, of a longer one both ends are kept and the rest is counted", () => {
  expect(cutText("0123456789", 10, { head: 2, tail: 3 })).toBe("0123456789");
  expect(cutText("0123456789", 9, { head: 2, tail: 3 })).toBe("01\n\n[... 5 characters left out ...]\n\n789");
});

test("B8: an emoji that straddles a cut is left out whole", () => {
  expect(cutText("a😀bcdefgh😀z", 5, { head: 2, tail: 2 })).toBe("a\n\n[... 11 characters left out ...]\n\nz");
});

test("B8: half a character in what comes is replaced, wherever it stands", () => {
  expect(cutText("name \uD83D.txt", 100, { head: 1, tail: 1 })).toBe("name \uFFFD.txt");
});

test("B8: whatever is cut wherever, what comes out is well-formed and made of the text's two ends", () => {
  const size = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), size, size, (text, head, tail) => {
      const cut = cutText(text, 0, { head, tail });
      const [first = "", last] = cut.split(/\n\n\[\.\.\. \d+ characters left out \.\.\.\]\n\n/);
      const isWhole = last === undefined && cut === text;
      const isCut =
        text.startsWith(first) && text.endsWith(last ?? "?") && first.length <= head && (last ?? "").length <= tail;
      return cut.isWellFormed() && (isWhole || isCut);
    }),
  );
});

test("a result within its limit stays", async () => {
  const { texts, store } = storage();
  const result = { content: "short", structured: { a: 1 } };
  expect(await boundResult(result, 5, store)).toEqual(result);
  expect(texts).toEqual([]);
});

test("a result over its limit is stored whole; the model gets size, path, head and tail", async () => {
  const { texts, store } = storage();
  const text = `${"a".repeat(30_000)}${"b".repeat(30_000)}`;
  const bounded = await boundResult({ content: text, isError: true, structured: { a: 1 } }, 50_000, store);
  expect(texts).toEqual([text]);
  expect(bounded).toEqual({
    content:
      "The output is too long to be given whole (60000 characters). All of it is in /stored/1: read or search that file for more.\n\n" +
      `${"a".repeat(2_000)}\n\n[... 56000 characters left out ...]\n\n${"b".repeat(2_000)}`,
    isError: true,
    structured: { a: 1 },
  });
});

test("the text blocks of a result count together, its images neither count nor go", async () => {
  const { texts, store } = storage();
  const few: ContentBlock[] = [{ type: "text", text: "a" }, image];
  expect(await boundResult({ content: few }, 100, store)).toEqual({ content: few });

  const many: ContentBlock[] = [{ type: "text", text: "a".repeat(60) }, image, { type: "text", text: "b".repeat(60) }];
  const { content } = await boundResult({ content: many }, 100, store);
  expect(texts).toEqual([`${"a".repeat(60)}\n${"b".repeat(60)}`]);
  expect(content).toHaveLength(2);
  expect(content[1]).toEqual(image);
});

test("of the results of one answer the largest are stored, until all fit", async () => {
  const { texts, store } = storage();
  const results = [
    written("a", "a".repeat(45_000)),
    written("b", "b".repeat(30_000)),
    written("c", "c".repeat(48_000)),
  ];
  const ids: string[] = [];
  const bounded = await boundMessage(results, MAX_MESSAGE_CHARS, (id, text) => {
    ids.push(id);
    return store(text);
  });
  expect(ids).toEqual(["c"]);
  expect(texts).toEqual(["c".repeat(48_000)]);
  expect(bounded.slice(0, 2)).toEqual(results.slice(0, 2));
  expect(bounded[2]?.structured).toEqual({ of: "c" });
  expect(bounded[2]?.block.content).toContain("/stored/1");
});

test("results that fit together stay", async () => {
  const { store } = storage();
  const results = [written("a", "a".repeat(50_000)), written("b", "b".repeat(50_000))];
  expect(await boundMessage(results, 100_000, async (_, text) => store(text))).toEqual(results);
});

test("also many results, each of them short, come to fit", async () => {
  const { store } = storage();
  const results = Array.from({ length: 60 }, (_, index) => written(`${index}`, "x".repeat(4_000)));
  const bounded = await boundMessage(results, 100_000, async (_, text) => store(text));
  expect(bounded.reduce((sum, result) => sum + lengthOf(result), 0)).toBeLessThanOrEqual(100_000);
});

test("what is stored already is not stored again: its preview gets shorter and still says where it is", async () => {
  const { texts, store } = storage();
  const results = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const { content } = await boundResult({ content: "y".repeat(60_000) }, 50_000, store);
      return written(`${index}`, content);
    }),
  );
  const bounded = await boundMessage(results, 100_000, async (_, text) => store(text));
  expect(texts).toHaveLength(40);
  expect(bounded.reduce((sum, result) => sum + lengthOf(result), 0)).toBeLessThanOrEqual(100_000);
  expect(bounded.every(({ block }, index) => block.content.includes(`/stored/${index + 1}:` as never))).toBe(true);
});
