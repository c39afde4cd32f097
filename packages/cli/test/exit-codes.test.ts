import { expect, test } from "vitest";
import { streamFaults } from "./support/frame-checker.ts";
import { answers, cutToolUse, messagesApi, type Reply, refuses, says, uses } from "./support/messages-api.ts";
import { framesOf, resultsOf, Workspace } from "./support/pawl.ts";

/** How a turn ended, as a script that runs the program sees it. */
type End = { code: number; subtype: string; is_error: boolean; terminal_reason: string; [field: string]: unknown };

const success = (code: 0 | 1, terminal_reason: string, more = {}): End => ({
  ...{ code, subtype: "success", is_error: code === 1, terminal_reason, ...more },
});
const error = (subtype: string, terminal_reason: string, message: string): End => ({
  ...{ code: 1, subtype, is_error: true, terminal_reason, errors: [expect.stringContaining(message)] },
});

const glob = (id: string) => uses(id, "Glob", { pattern: "*.none" });
const ids = ["0", "1", "2", "3", "4", "5"];

const ends: readonly (readonly [name: string, replies: readonly Reply[], end: End])[] = [
  ["an answer", [says("Done.")], success(0, "completed", { result: "Done." })],
  [
    "a refusal",
    [answers([{ text: "No." }], { stop: "refusal" })],
    success(1, "completed", { stop_reason: "refusal", result: "No." }),
  ],
  [
    "the cap on rounds",
    [...ids, "6", "7", "8"].map((id) => uses(id, "Glob", { pattern: id })),
    error("error_max_turns", "max_turns", "(8)"),
  ],
  [
    "an API error",
    [refuses(400, "invalid_request_error", "not so")],
    success(1, "api_error", { api_error_status: 400, result: expect.stringContaining("not so") }),
  ],
  [
    "a prompt that is too long",
    [refuses(400, "invalid_request_error", "prompt is too long: 2000001 tokens > 1000000 maximum")],
    success(1, "prompt_too_long", { api_error_status: 400, result: expect.stringContaining("prompt is too long") }),
  ],
  [
    "media that the API does not take",
    [refuses(400, "invalid_request_error", "messages.0.content.0.image: image exceeds 5 MB maximum")],
    success(1, "image_error", { api_error_status: 400, result: expect.stringContaining("image exceeds 5 MB") }),
  ],
  [
    "tool input that is never whole",
    ids.map(cutToolUse),
    success(1, "malformed_tool_use_exhausted", { result: expect.stringContaining("not whole JSON") }),
  ],
  ["the same call again and again", ids.map(glob), error("error_during_execution", "blocking_limit", "same call")],
  [
    "a config home that goes away in the middle",
    [uses("0", "Bash", { command: "rm -rf .config && touch .config" }), says("Never.")],
    error("error_during_execution", "turn_setup_failed", ".config"),
  ],
];

test.each(ends)(
  "%s ends the turn with its own exit code, subtype and reason (B72)",
  async (_name, replies, { code, ...end }) => {
    await using workspace = await Workspace.create();
    await using api = await messagesApi(...replies);
    const args = ["-p", "Go.", "--output-format", "stream-json", "--max-turns", "8", "--allowedTools", "Bash"];

    const outcome = await workspace.run(args, "", api.env);

    expect(streamFaults(framesOf(outcome.stdout))).toEqual([]);
    expect({ code: outcome.code, ...resultsOf(outcome.stdout)[0] }).toMatchObject({ code, ...end });
    expect(outcome.stderr).toBe("");
  },
);
