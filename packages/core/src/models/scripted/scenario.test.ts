import { expect, test } from "vitest";
import { messageOf } from "../../lib/error.ts";
import { parseScenario } from "./scenario.ts";

async function refusal(text: string): Promise<string> {
  return parseScenario(text, "fix.yaml").then((scenario) => `accepted: ${JSON.stringify(scenario)}`, messageOf);
}

test("a scenario is read from YAML", async () => {
  const text = `
version: 1
name: mend
steps:
  - expect: { lastUserText: mend, toolsInclude: [Read] }
    answer:
      - thinking: Where is it?
      - text: Let me look.
      - { tool: Read, input: { file_path: "{{path}}" }, id: look }
    capture: { path: "in (\\\\S+)" }
    usage: { input: 10 }
  - answer: [{ text: Done. }]
    stop: end_turn
    fault: { type: status, status: 529 }
    delayMs: 20
`;

  expect(await parseScenario(text, "mend.yaml")).toEqual({
    version: 1,
    name: "mend",
    steps: [
      {
        expect: { lastUserText: "mend", toolsInclude: ["Read"] },
        answer: [
          { thinking: "Where is it?" },
          { text: "Let me look." },
          { tool: "Read", input: { file_path: "{{path}}" }, id: "look" },
        ],
        capture: { path: "in (\\S+)" },
        usage: { input: 10 },
      },
      { answer: [{ text: "Done." }], stop: "end_turn", fault: { type: "status", status: 529 }, delayMs: 20 },
    ],
  });
});

test("a scenario is read from JSON, and is named after its file when it has no name", async () => {
  const text = JSON.stringify({ version: 1, steps: [{ answer: [{ tool: "Glob" }] }] });

  expect(await parseScenario(text, "a.json")).toEqual({
    version: 1,
    name: "a.json",
    steps: [{ answer: [{ tool: "Glob", input: {} }] }],
  });
});

test("every fault is told with its place and its fix", async () => {
  const text = `
version: 1
steps:
  - answer: [{ text: 1 }, { says: hello }, { text: a, thinking: b }]
    answers: []
  - answer: [{ tool: "no tool", input: [] }]
    stop: done
    fault: { type: status }
    capture: { x: "(" }
`;

  expect((await refusal(text)).split("\n")).toEqual([
    "fix.yaml: not a valid scenario",
    "  steps[0].answer[0].text: Invalid input: expected string, received number",
    '  steps[0].answer[1]: unknown key "says"; known keys: text, thinking, tool, input, id',
    "  steps[0].answer[1]: a block is one of {text}, {thinking} or {tool, input, id?}",
    "  steps[0].answer[2]: a block is one of {text}, {thinking} or {tool, input, id?}",
    '  steps[0]: unknown key "answers"; known keys: expect, capture, answer, stop, usage, fault, delayMs',
    "  steps[1].capture.x: not a regular expression",
    "  steps[1].answer[0].tool: a tool name has 1 to 128 letters, digits, _ or -",
    "  steps[1].answer[0].input: Invalid input: expected record, received array",
    expect.stringContaining('  steps[1].stop: Invalid option: expected one of "end_turn"|'),
    "  steps[1].fault.status: a fault of type status needs a status, such as 529",
  ]);
});

test("a name that nothing captures is refused where other names are captured, and is plain text elsewhere", async () => {
  const template = { answer: [{ tool: "Write", input: { content: "{{user}}" } }] };
  const capturing = { capture: { id: "id=(\\d+)" }, answer: [{ text: "{{id}} for {{usr}}" }] };

  expect(await refusal(JSON.stringify({ version: 1, steps: [template] }))).toMatch(/^accepted/);
  expect(await refusal(JSON.stringify({ version: 1, steps: [capturing] }))).toBe(
    "fix.yaml: not a valid scenario\n  steps[0].answer: nothing has captured usr so far; captured: id",
  );
});

test("a newer version is refused with both versions", async () => {
  expect(await refusal("version: 2\nscenes: []")).toBe(
    "fix.yaml: scenario version 2 is newer than version 1, the newest known here; update this program or write version 1",
  );
});

test.each([
  ["version: 1\nsteps: []", "steps: a scenario has at least one step"],
  ["steps: [{ answer: [] }]", "version: write version: 1"],
  ["", "the scenario: Invalid input: expected object, received null"],
  ["a: [", "neither YAML nor JSON: Flow sequence"],
])("%j is refused", async (text, reason) => {
  expect(await refusal(text)).toContain(reason);
});
