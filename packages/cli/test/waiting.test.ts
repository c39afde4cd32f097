import { expect, test } from "vitest";
import { messagesApi, refuses, says, stalls } from "./support/messages-api.ts";
import { ended, framesOf, resultsOf, says as saysOn, Workspace } from "./support/pawl.ts";

const PROMPT_MS = 1_000;
const overloaded = refuses(529, "overloaded_error", "Overloaded");
const slowly = { PAWL_RETRY_BASE_MS: "100000" };

test("a pipe gets the answer alone, and what was waited for, why and for how long, on stderr", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(
    overloaded,
    refuses(429, "rate_limit_error", "Slow down", { "retry-after": "0.2" }),
    says("Done."),
  );

  const { code, stdout, stderr } = await workspace.run(["-p", "Go."], "", api.env);

  expect([code, stdout]).toEqual([0, "Done.\n"]);
  expect(stderr.split("\n")).toEqual([
    "pawl: Overloaded (HTTP 529, request req_refused): trying again now (1 of 9)",
    "pawl: Slow down (HTTP 429, request req_refused): trying again in 0.2 s (2 of 9)",
    "",
  ]);
});

test("stream-json tells of each try with its number, its wait and its reason, and of no error", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(overloaded, says("Done."));

  const { code, stdout } = await workspace.run(["-p", "Go.", "--output-format", "stream-json"], "", api.env);

  const frames = framesOf(stdout);
  expect([code, resultsOf(stdout).map(({ is_error }) => is_error)]).toEqual([0, [false]]);
  expect(frames.filter((frame) => frame.type === "system" && frame.subtype === "api_retry")).toMatchObject([
    {
      attempt: 1,
      max_retries: 9,
      retry_delay_ms: 1,
      error_status: 529,
      error: "overloaded",
      reason: "Overloaded (HTTP 529, request req_refused)",
    },
  ]);
});

test("--fallback-model is asked after three overloads, and the person is told", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(overloaded, overloaded, overloaded, says("From the other."));

  const { code, stdout, stderr } = await workspace.run(["-p", "Go.", "--fallback-model", "haiku"], "", api.env);

  expect([code, stdout]).toEqual([0, "From the other.\n"]);
  expect(stderr).toContain("pawl: claude-sonnet-5-5 is overloaded: asking claude-haiku-5-5 instead\n");
  expect(api.bodies.map(({ model }) => model)).toEqual([
    ...Array<string>(3).fill("claude-sonnet-5-5"),
    "claude-haiku-5-5",
  ]);
});

test("--unattended goes on where ten tries are not enough", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(...Array(12).fill(overloaded), says("In the morning."));
  await using other = await messagesApi(...Array(12).fill(overloaded), says("Never."));

  const attended = await workspace.run(["-p", "Go."], "", other.env);
  const unattended = await workspace.run(["-p", "--unattended=1", "Go."], "", api.env);

  expect([attended.code, attended.stdout, other.bodies.length]).toEqual([1, "", 10]);
  expect([unattended.code, unattended.stdout, api.bodies.length]).toEqual([0, "In the morning.\n", 13]);
});

test.each([
  ["a stall", stalls("Half"), {}, '"status":"requesting"'],
  ["a back-off", overloaded, slowly, '"api_retry"'],
])("SIGINT during %s ends the run with 130 within a second", async (_what, reply, env, sign) => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(reply);
  const args = ["-p", "Go.", "--output-format", "stream-json", "--include-partial-messages"];
  const child = workspace.start(args, { ...api.env, ...env });
  child.stdin.end();
  const end = ended(child);
  await saysOn(child.stdout, sign);

  const sentAt = performance.now();
  child.kill("SIGINT");
  const { code, stdout, stderr } = await end;

  expect([code, stderr]).toEqual([130, ""]);
  expect(performance.now() - sentAt).toBeLessThan(PROMPT_MS);
  expect(resultsOf(stdout)).toMatchObject([{ is_error: true, terminal_reason: "aborted_streaming" }]);
});

test("a deadline that is no time is refused before anything is sent", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(says("Never."));

  const { code, stderr } = await workspace.run(["-p", "Go."], "", { ...api.env, PAWL_STALL_TIMEOUT_MS: "90s" });

  expect([code, api.bodies]).toEqual([2, []]);
  expect(stderr).toContain('PAWL_STALL_TIMEOUT_MS is "90s"; give a whole number');
});
