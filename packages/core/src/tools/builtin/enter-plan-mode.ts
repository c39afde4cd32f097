import { defineTool } from "../define-tool.ts";
import { PLAN_PART, planModeText, storedPlan } from "./plan-mode.ts";

export const enterPlanModeTool = defineTool({
  name: "EnterPlanMode",
  description: `Turns plan mode on: from then on nothing is changed but a plan, until the user approves it.

- Use it before work that can be done in clearly different ways, or that touches many files.
- Not for a small change with one obvious way, nor for questions about the code.`,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  maxResultChars: 50_000,
  // It makes the session stricter and changes nothing else.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run(_input, { mode, state, planPath }) {
    await mode.set("plan");
    await state.set(PLAN_PART, { ...storedPlan(state.get(PLAN_PART)), isTold: true });
    return { content: planModeText(planPath), structured: { planFilePath: planPath } };
  },
});
