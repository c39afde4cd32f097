import { type ModelFailure, mayPass } from "../../models/failure.ts";

const afterContent: ReadonlySet<string> = new Set(["content", "whole_answer"]);

/** Whether an answer had begun and broke off. An overload is not meant: the server tells it, and another model may help. */
export const isCut = (failure: ModelFailure): boolean =>
  mayPass(failure) && failure.type !== "overloaded" && "phase" in failure && afterContent.has(failure.phase);
