import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine } from "@pawl/core";
import { fails, says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, type Place, place, turn } from "./engine-harness.ts";

/** All results of one answer together. Characters. */
const MAX_MESSAGE_CHARS = 100_000;

/** A text of so many characters, of lines that are told apart. */
const linesOf = (chars: number): string =>
  Array.from({ length: chars / 50 }, (_, index) => `${String(index + 1).padEnd(48, ".")}x\n`).join("");

type Told = { text: string; isError: boolean };

/** What the model was told of each call, in order. */
async function toldOf(
  at: Place,
  answers: Parameters<typeof scriptedModel>[0],
  env: Record<string, string> = {},
): Promise<Told[]> {
  const model = scriptedModel([...answers, says("Done.")]);
  const options = { ...at.options, env: { ...at.options.env, ...env } };
  const { violations } = await oneTurn({ ...options, model, permissionMode: "acceptEdits" });
  expect(violations).toEqual([]);
  return (model.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === "tool_result" ? [{ text: textOf(block.content), isError: block.is_error === true }] : [],
    ),
  );
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }: { text?: string }) => text).join("\n") : "";
}

const read = (at: Place, name: string, more = {}) => uses("Read", { file_path: join(at.project.root, name), ...more });
const write = (at: Place, name: string) =>
  uses("Write", { file_path: join(at.project.root, name), content: "all new\n" });
const edit = (at: Place, name: string) =>
  uses("Edit", { file_path: join(at.project.root, name), old_string: "x\n2", new_string: "y\n2" });
const fileIn = (at: Place, name: string) => readFile(join(at.project.root, name), "utf8");

const NOT_READ = "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>";

test("of a file over the token cap the first page reaches the model, with what to ask for next, and the rest follows", async () => {
  const text = linesOf(150_000);
  await using at = await place({ "long.txt": text });

  const [first, ...more] = await toldOf(at, [read(at, "long.txt"), read(at, "long.txt", { offset: 1, limit: 5 })]);

  expect(first?.text).toMatch(/^1\t1\.+x\n2\t/);
  expect(first?.text).toContain("PARTIAL view");
  expect(first?.text).not.toContain("tool-results");
  expect(first?.text.length).toBeGreaterThan(90_000);
  expect(first?.text.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARS);
  expect(more.map(({ isError }) => isError)).toEqual([false]);

  const next = Number(/Go on with offset (\d+)/.exec(first?.text ?? "")?.[1]);
  const [rest] = await toldOf(at, [read(at, "long.txt", { offset: next, limit: 5_000 })]);
  const shown = `${first?.text.split("\n\n")[0]}\n${rest?.text}`;
  expect(shown.replaceAll(/^\d+\t/gm, "")).toBe(text);
});

test("a file just under the token cap is given whole and may be written over", async () => {
  const text = linesOf(89_000);
  await using at = await place({ "long.txt": text });

  const [given, written] = await toldOf(at, [read(at, "long.txt"), write(at, "long.txt")]);

  expect(given?.text.replaceAll(/^\d+\t/gm, "")).toBe(text);
  expect(written?.isError).toBe(false);
});

test("a raised token cap is what one read gives", async () => {
  const text = linesOf(200_000);
  await using at = await place({ "long.txt": text });

  const [given, written] = await toldOf(at, [read(at, "long.txt"), write(at, "long.txt")], {
    PAWL_FILE_READ_MAX_OUTPUT_TOKENS: "60000",
  });

  expect(given?.text.replaceAll(/^\d+\t/gm, "")).toBe(text);
  expect(written?.isError).toBe(false);
});

test("reads that are too long together are shortened to their first lines, and only those given whole may be written over", async () => {
  const text = linesOf(60_000);
  await using at = await place({ "a.txt": text, "b.txt": linesOf(60_050) });

  const told = await toldOf(at, [
    [read(at, "a.txt"), read(at, "b.txt")],
    [write(at, "a.txt"), write(at, "b.txt"), edit(at, "b.txt")],
    read(at, "b.txt"),
  ]);

  const [a, b, ...rest] = told;
  const [again] = rest.splice(3);
  const changes = rest;
  expect(again?.text.replaceAll(/^\d+\t/gm, "")).toBe(linesOf(60_050));
  expect((a?.text.length ?? 0) + (b?.text.length ?? 0)).toBeLessThanOrEqual(MAX_MESSAGE_CHARS);
  expect(a?.text.replaceAll(/^\d+\t/gm, "")).toBe(text);
  expect(b?.text).toMatch(/^1\t1\.+x\n2\t/);
  expect(b?.text).toMatch(/PARTIAL view: .* Go on with offset \d+/);
  expect(b?.text).not.toContain("tool-results");
  expect(changes.map(({ isError }) => isError)).toEqual([false, true, true]);
  expect(changes.slice(1).map((result) => result.text)).toEqual([NOT_READ, NOT_READ]);
  expect(await fileIn(at, "b.txt")).toBe(linesOf(60_050));
});

test("a part that was shortened says where it goes on, and does not count as read", async () => {
  await using at = await place({ "a.txt": linesOf(150_000), "b.txt": linesOf(150_000) });
  const part = { offset: 101, limit: 1_300 };

  const [a, b, edited] = await toldOf(at, [[read(at, "a.txt", part), read(at, "b.txt", part)], edit(at, "a.txt")]);

  const shortened = [a, b].find((result) => result?.text.includes("PARTIAL view"))?.text ?? "";
  const last = Number(/Shown: lines 101 to (\d+) of 3001/.exec(shortened)?.[1]);
  expect(shortened).toContain(`\n${last}\t`);
  expect(shortened).not.toContain(`\n${last + 1}\t`);
  expect(shortened).toContain(`Go on with offset ${last + 1} and a limit.`);
  expect(edited?.text === NOT_READ).toBe(a?.text.includes("PARTIAL view"));
});

test("twenty reads of one answer all come with lines and stay together within the limit of one message", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
  await using at = await place(Object.fromEntries(names.map((name) => [name, linesOf(60_000)])));

  const told = await toldOf(at, [names.map((name) => read(at, name))]);

  expect(told.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(MAX_MESSAGE_CHARS);
  expect(told.filter(({ text }) => /^1\t1\.+x\n2\t/.test(text))).toHaveLength(20);
});

test("what was read for an answer that was discarded is not known, and is given when it is read again", async () => {
  await using at = await place({ "a.txt": linesOf(500) });
  const model = scriptedModel([
    [read(at, "a.txt"), fails({ type: "network", phase: "content", message: "cut" })],
    write(at, "a.txt"),
    read(at, "a.txt"),
    says("Done."),
  ]);
  /** Leaves the read the time to end. */
  async function* stream(...asked: Parameters<typeof model.stream>) {
    for await (const event of model.stream(...asked)) {
      if (event.type === "failure") await new Promise((resolve) => setTimeout(resolve, 500));
      yield event;
    }
  }
  const engine = await createEngine({ ...at.options, model: { ...model, stream }, permissionMode: "acceptEdits" });
  try {
    await turn(engine, "go");
  } finally {
    await engine.close();
  }
  const told = engine.messages.flatMap(({ content }) =>
    [content]
      .flat()
      .flatMap((block) =>
        typeof block === "object" && block.type === "tool_result" ? [String(block["content"])] : [],
      ),
  );
  expect(told[0]).toBe(NOT_READ);
  expect(told[1]).toMatch(/^1\t1\.+x\n2\t/);
});
