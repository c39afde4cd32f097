/** The test kit: what Pawl's own tests use to run the engine without a network, a clock or a kept session. */

export type { ModelFailure } from "../models/failure.ts";
export type { Model, ModelEvent, ModelRequest } from "../models/model.ts";
export { type Answering, type FunctionModelOptions, functionModel } from "../models/scripted/function-model.ts";
export type { Answer } from "../models/scripted/play-answer.ts";
export {
  parseScenario,
  type Scenario,
  type ScenarioBlock,
  type ScenarioFault,
  type ScenarioStep,
} from "../models/scripted/scenario.ts";
export {
  type ScenarioModel,
  type ScenarioModelOptions,
  type ScenarioReport,
  scenarioModel,
} from "../models/scripted/scripted-model.ts";
export { type HeldClock, type HeldClockOptions, heldClock } from "./held-clock.ts";
export { type MemoryStore, memoryStore } from "./memory-store.ts";
export {
  fails,
  type ScriptedAnswer,
  type ScriptedModel,
  says,
  scriptedModel,
  stalls,
  thinks,
  uses,
} from "./scripted-model.ts";
export { type TempWorkspace, tempWorkspace } from "./temp-workspace.ts";
