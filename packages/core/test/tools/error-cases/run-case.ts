import { createEngine, violations } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { place, turn } from "../../scenarios/engine-harness.ts";
import type { ErrorCase } from "./error-case.ts";

/** `structured`: for eyes. */
type Told = { content: string; isError: boolean; structured: unknown };

/** Makes the call of the case in an engine of its own, and gives what the model was told of it. */
export async function runCase(tool: string, errorCase: ErrorCase): Promise<Told & { begins: string }> {
  const { input, files = {}, setUp, first = [], options = {}, env = {}, begins } = errorCase;
  await using at = await place(files);
  const { root } = at.project;
  await setUp?.(at);
  const calls = [...first, [tool, input] as const];
  const answers = calls.map(([name, given]) => [uses(name, inRoot(given, root))]);
  const told = await toldOf([...answers, says("Done.")], {
    ...{ ...at.options, permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true },
    canUseTool: async () => ({ behavior: "allow" }),
    ...options,
    env: { ...at.options.env, ...env },
  });
  const last = told.at(-1);
  if (told.length !== calls.length || last === undefined) throw new Error(`${told.length} results`);
  return { ...last, begins: begins.replaceAll("{root}", root).replaceAll("{home}", at.home.root) };
}

/** What the model was told of each call, in order. */
export async function toldOf(
  answers: Parameters<typeof scriptedModel>[0],
  options: Parameters<typeof createEngine>[0],
): Promise<Told[]> {
  const engine = await createEngine({ ...options, model: scriptedModel(answers) });
  const structured = new Map<unknown, unknown>();
  try {
    const { frames } = await turn(engine, "go");
    for (const frame of frames) {
      if (frame.type !== "user" || !Array.isArray(frame.message.content)) continue;
      for (const block of frame.message.content) {
        if (block.type === "tool_result") structured.set(block["tool_use_id"], frame.tool_use_result);
      }
    }
  } finally {
    await engine.close();
  }
  const broken = violations(engine.messages, { as: "history" });
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
  return engine.messages.flatMap(({ content }) =>
    [content].flat().flatMap((block) =>
      typeof block === "object" && block.type === "tool_result"
        ? [
            {
              content: String(block["content"]),
              isError: block["is_error"] === true,
              structured: structured.get(block["tool_use_id"]),
            },
          ]
        : [],
    ),
  );
}

function inRoot(input: Record<string, unknown>, root: string): Record<string, unknown> {
  const text = JSON.stringify(input).replaceAll("{root}", JSON.stringify(root).slice(1, -1));
  return JSON.parse(text); // JSON in, JSON out
}
