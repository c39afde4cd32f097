import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { freshId } from "../../src/models/scripted/fresh-id.ts";
import type { Scenario, ScenarioBlock, ScenarioStep } from "../../src/models/scripted/scenario.ts";
import { type ScenarioModel, scenarioModel } from "../../src/models/scripted/scripted-model.ts";
import type { Tool } from "../../src/tools/tool.ts";

/** Recorded runs of other agents, to be played against the engine: the model's side as a scenario, the tools as stubs. */

export const trajectoryFiles = {
  "mini-swe-agent": "mini-swe-agent_github_issue.traj.json",
  "sweagent-simple": "sweagent_function_calling_simple.traj",
  "sweagent-marshmallow": "sweagent_marshmallow-1867_function_calling.traj",
} as const;
export type TrajectoryName = keyof typeof trajectoryFiles;

type Trajectory = {
  name: TrajectoryName;
  /** What the user asked for. */
  prompt: string;
  /** One answer of the model each, each call with an id of its own; the last has no call. */
  steps: readonly ScenarioStep[];
  stubTools: readonly StubTool[];
};

type StubTool = {
  name: string;
  inputSchema: object;
  /** What the call with this id gave when it was recorded. */
  results: ReadonlyMap<string, string>;
};

export async function loadTrajectory(name: TrajectoryName): Promise<Trajectory> {
  const url = new URL(`../cases/trajectories/${trajectoryFiles[name]}`, import.meta.url);
  const recorded: unknown = JSON.parse(await readFile(fileURLToPath(url), "utf8"));
  const messages = Recording.parse(recorded);
  const calls = pairedCalls(messages);
  return {
    name,
    prompt: messages.find((message) => message.role === "user")?.content ?? "",
    steps: [...calls.map(stepOf), { answer: [{ text: "Done." }] }],
    stubTools: stubToolsOf(calls),
  };
}

export function trajectoryModel({ name, steps }: Trajectory): ScenarioModel {
  const scenario: Scenario = { version: 1, name, steps };
  return scenarioModel(scenario);
}

/** The stubs as tools to register: each call gets the result it had, an unrecorded one an error. */
export function trajectoryTools({ stubTools }: Trajectory): Tool[] {
  return stubTools.map(({ name, inputSchema, results }) => ({
    name,
    description: `Gives what ${name} gave when the run was recorded.`,
    inputSchema,
    maxResultChars: 100_000,
    origin: "sdk",
    parse: (input) => ({ ok: true, input }),
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    touches: () => [{ type: "other" }],
    async run(_input, { toolUseId }) {
      const content = results.get(toolUseId);
      return content === undefined ? { content: `no recorded result for ${toolUseId}`, isError: true } : { content };
    },
  }));
}

const FunctionCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const RecordedMessage = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  tool_calls: z.array(FunctionCall).length(1).nullish(),
});
type RecordedMessage = z.infer<typeof RecordedMessage>;

/** A list of messages, or an object that holds it as `history`. */
const Recording = z.union([
  z.array(RecordedMessage),
  z.object({ history: z.array(RecordedMessage) }).transform(({ history }) => history),
]);

type RecordedCall = { text: string; id: string; tool: string; input: Record<string, unknown>; result: string };

/** Each answer with the message after it, which is its result. An id that was used before is replaced. */
function pairedCalls(messages: readonly RecordedMessage[]): RecordedCall[] {
  const ids = new Set<string>();
  return messages.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    const call = callIn(message, index);
    const id = freshId(call.id, ids);
    ids.add(id);
    return [{ ...call, id, result: messages[index + 1]?.content ?? "" }];
  });
}

const SHELL_BLOCK = /```mswea_bash_command\n([\s\S]*?)\n```/;

function callIn({ content, tool_calls }: RecordedMessage, index: number): Omit<RecordedCall, "result"> {
  const functionCall = tool_calls?.[0];
  if (functionCall !== undefined) {
    const input = z.record(z.string(), z.unknown()).parse(JSON.parse(functionCall.function.arguments));
    return { text: content, id: functionCall.id, tool: functionCall.function.name, input };
  }
  const command = SHELL_BLOCK.exec(content)?.[1];
  if (command === undefined)
    throw new Error(`message ${index}: an answer with neither a function call nor a shell block`);
  return { text: content.replace(SHELL_BLOCK, "").trim(), id: `call_${index}`, tool: "Bash", input: { command } };
}

function stepOf({ text, id, tool, input }: RecordedCall): ScenarioStep {
  const blocks: ScenarioBlock[] = text === "" ? [] : [{ text }];
  return { answer: [...blocks, { tool, input, id }] };
}

function stubToolsOf(calls: readonly RecordedCall[]): StubTool[] {
  const names = [...new Set(calls.map((call) => call.tool))].sort();
  return names.map((name) => {
    const own = calls.filter((call) => call.tool === name);
    return { name, inputSchema: schemaOf(own), results: new Map(own.map((call) => [call.id, call.result])) };
  });
}

/** What all recorded inputs fit: each field that one of them has, required where all have it. */
function schemaOf(calls: readonly RecordedCall[]): object {
  const fields = new Map(calls.flatMap((call) => Object.entries(call.input)));
  return {
    type: "object",
    properties: Object.fromEntries([...fields].map(([field, value]) => [field, { type: typeof value }])),
    required: [...fields.keys()].filter((field) => calls.every((call) => Object.hasOwn(call.input, field))),
    additionalProperties: false,
  };
}
