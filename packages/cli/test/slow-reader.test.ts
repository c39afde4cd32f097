import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { streamFaults } from "./support/frame-checker.ts";
import { messagesApi, says, uses } from "./support/messages-api.ts";
import { framesOf, Workspace } from "./support/pawl.ts";

const TURNS = 5;
const CHARS_PER_ANSWER = 550_000;

/** Reads 64 KB, sleeps, and so on; keeps what it has read. */
const slowReader = `
  const fs = require("node:fs");
  const buffer = Buffer.alloc(64 * 1024);
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (let count; (count = fs.readSync(0, buffer)) > 0; sleep(10)) fs.appendFileSync("slow", buffer.subarray(0, count));
`;

const pawl = "pawl --input-format stream-json --output-format stream-json --verbose < input";

/** Answers that are long, all different, and with characters of every length in UTF-8. */
const longAnswers = Array.from({ length: TURNS }, (_, turn) => {
  const text = Array.from({ length: CHARS_PER_ANSWER / 10 }, (_, n) => `${turn}é漢😀${n}`.padEnd(10)).join("");
  return says(text, { id: `msg_${turn}` });
});

async function workspaceWithInput(): Promise<Workspace> {
  const workspace = await Workspace.create();
  const user = (content: string) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
  const prompts = Array.from({ length: TURNS }, (_, turn) => user(`Prompt ${turn}.`));
  await writeFile(workspace.path("input"), prompts.join(""));
  await writeFile(workspace.path("reader.cjs"), slowReader);
  return workspace;
}

/** Ids and times differ from run to run; nothing else may. */
const settled = (output: string) =>
  output
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "an id")
    .replace(/"(duration_ms|duration_api_ms|ttft_ms)":\d+/g, '"$1":0');

test("5 MB of frames come through a slow reader as they go to a file, to the byte", async () => {
  await using workspace = await workspaceWithInput();
  await using fast = await messagesApi(...longAnswers);
  await using slow = await messagesApi(...longAnswers);

  const toFile = await workspace.shell(`${pawl} > fast`, fast.env);
  const toReader = await workspace.shell(`{ ${pawl}; echo $? >&2; } | "$NODE" reader.cjs`, slow.env);

  expect([toFile.code, toFile.stderr, toReader.stderr]).toEqual([0, "", "0\n"]);
  const [file, read] = await Promise.all(["fast", "slow"].map((name) => readFile(workspace.path(name), "utf8")));
  expect(Buffer.byteLength(read ?? "")).toBeGreaterThan(5_000_000);
  expect(settled(read ?? "") === settled(file ?? "")).toBe(true); // a difference of 5 MB is nothing to print
  expect(streamFaults(framesOf(read ?? ""))).toEqual([]);
});

test("a reader that leaves after the first line ends the program, quietly and at once", async () => {
  await using workspace = await workspaceWithInput();
  await using api = await messagesApi(uses("0", "Bash", { command: "sleep 0.3; seq 1000" }), ...longAnswers);

  const { code, stdout, stderr } = await workspace.shell(`${pawl} --allowedTools Bash | head -n 1`, api.env);

  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ type: "system", subtype: "init" });
  expect(api.bodies.length).toBeLessThan(TURNS); // nobody reads: the turns that are left are not taken
});
