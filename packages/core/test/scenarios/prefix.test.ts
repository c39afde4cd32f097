import { createEngine, type ModelRequest } from "@pawl/core";
import { type ScriptedAnswer, says, scriptedModel, thinks, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { toApiBlock } from "../../src/messages/normalize.ts";
import { place, turn } from "./engine-harness.ts";

/** What the provider caches by: tools, then system, then messages, element by element. */
function canonical(request: ModelRequest | undefined): string[] {
  if (request === undefined) throw new Error("no such request");
  const messages = request.messages.flatMap(({ role, content }) =>
    content.map((block) => JSON.stringify([role, toApiBlock(block)])),
  );
  return [JSON.stringify(request.tools), ...request.system, ...messages];
}

function expectStable(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.entries()) {
    if (index === 0) continue;
    const before = canonical(requests[index - 1]);
    expect(canonical(request).slice(0, before.length), `request ${index}`).toEqual(before);
  }
}

const round = (n: number): ScriptedAnswer[] => [
  thinks(`thought ${n}`),
  says(`Round ${n}.`),
  uses("Read", { file_path: "a.txt", offset: 1 + (n % 3) }),
  uses("Bash", { command: `echo ${n}` }),
];

test("the canonical prompt of each request is a prefix of the next one's, over 50 rounds", async () => {
  await using at = await place({ "a.txt": "one\ntwo\nthree\n", "CLAUDE.md": "Be brief." });
  const model = scriptedModel([...Array.from({ length: 50 }, (_, n) => round(n)), says("Done."), says("More.")]);
  const engine = await createEngine({ ...at.options, model, allowedTools: ["Bash"] });

  await turn(engine, "go");
  await turn(engine, "and now?");
  await engine.close();

  expect(model.requests).toHaveLength(52);
  expectStable(model.requests);
});

test.each([
  ["going on with", {}],
  ["forking", { forkSession: true }],
])("%s a stored session continues the canonical prompt of its last request", async (_how, more) => {
  await using at = await place({ "a.txt": "one\ntwo\nthree\n", "CLAUDE.md": "Be brief." });
  const usage = { input: 7, output: 3 };
  const first = scriptedModel([round(1), round(2), says("Done.", { usage })]);
  const second = scriptedModel([round(3), says("Again.", { usage })]);
  const engine = await createEngine({ ...at.options, model: first, allowedTools: ["Bash"] });
  await turn(engine, "go");
  await engine.close();

  const resumed = await createEngine({
    ...at.options,
    ...more,
    model: second,
    allowedTools: ["Bash"],
    resume: engine.sessionId,
  });
  const { result } = await turn(resumed, "and now?");
  await resumed.close();

  expectStable([...first.requests, ...second.requests]);
  expect(result).toMatchObject({ subtype: "success", result: "Again." });
  expect(resumed.sessionId === engine.sessionId).toBe(Object.keys(more).length === 0);
});

test("a session that is in use is refused, and one that is not there", async () => {
  await using at = await place();
  const engine = await createEngine({ ...at.options, model: scriptedModel([says("Hi.")]) });
  await turn(engine, "go");
  const options = { ...at.options, model: scriptedModel([]) };

  await expect(createEngine({ ...options, resume: engine.sessionId })).rejects.toMatchObject({
    code: "session_in_use",
  });
  await engine.close();
  const resume = "99999999-9999-4999-8999-999999999999";
  await expect(createEngine({ ...options, resume })).rejects.toThrow(
    `No conversation found with session ID: ${resume}`,
  );
  await expect(createEngine({ ...options, sessionId: engine.sessionId })).rejects.toMatchObject({
    code: "session_in_use",
  });
});
