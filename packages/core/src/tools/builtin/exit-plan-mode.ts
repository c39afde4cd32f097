import { PawlError } from "../../lib/error.ts";
import type { PermissionMode } from "../../permissions/mode.ts";
import { checkInput } from "../input-schema.ts";
import type { ParsedInput, Tool, ToolContext } from "../tool.ts";
import { MAX_PLAN_BYTES, PLAN_PART, storedPlan } from "./plan-mode.ts";

const inputSchema = {
  type: "object",
  properties: {
    allowedPrompts: { type: "array", description: "Not used any more.", items: { type: "object" } },
  },
  additionalProperties: false,
} as const;

/** The host sees the plan, and may give back a changed one; what else it gives is not looked at. */
const answeredSchema = {
  ...inputSchema,
  additionalProperties: true,
  properties: { ...inputSchema.properties, plan: { type: "string" }, planFilePath: { type: "string" } },
} as const;

type Answered = { plan?: string };

/** Puts the plan to the user. It runs only when it is approved. */
export const exitPlanModeTool: Tool<Answered> = {
  name: "ExitPlanMode",
  description: `Puts the plan to the user for approval, and turns plan mode off when it is given. Write the plan to its file first.

- Only for work that changes something. After looking something up, just answer.
- What is still open, ask with AskUserQuestion before.`,
  inputSchema,
  maxResultChars: 50_000,
  parse: (input) => parsed(inputSchema, input),
  parseAnswered: (input) => parsed(answeredSchema, input),
  async shownInput(input, context) {
    if (context.mode.get() !== "plan") throw new PawlError("no_plan", NOT_PLANNING);
    return { ...input, plan: await readPlan(context), planFilePath: context.planPath };
  },
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run(input, context) {
    const { mode, planPath, files, state } = context;
    const written = await readPlan(context);
    const plan = input.plan ?? written;
    if (plan.trim() === "") throw new PawlError("no_plan", "The plan came back empty: it is not approved.");
    const isEdited = plan !== written;
    if (isEdited) await files.writeText(planPath, { text: plan, hasBom: false });
    // Who approves may also choose the mode to go on in: then it is no longer `plan`.
    const { modeBefore } = storedPlan(state.get(PLAN_PART));
    if (mode.get() === "plan") await leavePlanMode(mode, modeBefore);
    await state.set(PLAN_PART, { modeBefore, isTold: false });
    return {
      content: `User has approved your plan.${isEdited ? " The user changed it first." : ""} You can now start.\n\nThe plan, kept in ${planPath}:\n\n${plan}`,
      structured: { plan, isAgent: false, filePath: planPath },
    };
  },
};

const NOT_PLANNING = "Plan mode is not on, so there is no plan to approve. Go on with the work, or call EnterPlanMode.";

/** A session that was resumed may not enter every mode that it was in. */
async function leavePlanMode(mode: ToolContext["mode"], modeBefore: PermissionMode): Promise<void> {
  try {
    await mode.set(modeBefore);
  } catch (error) {
    if (!(error instanceof PawlError && error.code === "bad_option")) throw error;
    await mode.set("default");
  }
}

async function readPlan({ files, planPath, signal }: ToolContext): Promise<string> {
  const stat = await files.stat(planPath);
  const text = stat === undefined ? "" : (await files.readText(planPath, { signal, maxBytes: MAX_PLAN_BYTES })).text;
  if (text.trim() !== "") return text;
  throw new PawlError("no_plan", `There is no plan yet: write it to ${planPath}, then call ExitPlanMode again.`);
}

function parsed(schema: object, input: unknown): ParsedInput<Answered> {
  const issues = checkInput(schema, input);
  // The schema has just said that `input` has this type.
  return issues.length > 0 ? { ok: false, issues } : { ok: true, input: input as Answered };
}
