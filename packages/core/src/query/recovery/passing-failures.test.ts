import { describe, expect, test } from "vitest";
import { overloaded, transitionsOf } from "../../../test/support/turn-harness.ts";
import type { ModelId } from "../../messages/message.ts";
import type { ModelFailure } from "../../models/failure.ts";
import { fails, says, scriptedModel, uses } from "../../testing/scripted-model.ts";

describe("what may pass by itself", () => {
  test.each<ModelFailure>([
    overloaded,
    { type: "server", status: 500, phase: "headers", message: "x" },
    { type: "network", phase: "connect", message: "x" },
    { type: "cut", phase: "content", message: "x" },
    { type: "stalled", phase: "content", message: "x" },
    { type: "timeout", phase: "headers", message: "x" },
  ])("$type is tried again, each time later, ten times in all", async (failure) => {
    const model = scriptedModel(Array.from({ length: 10 }, () => fails(failure)));
    const turn = await transitionsOf({ model });

    expect(turn.names).toEqual(Array(9).fill("request_retry"));
    expect(turn.waits.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(Math.max(...turn.waits)).toBeLessThanOrEqual(32_000);
    expect(turn.terminal).toEqual({ reason: "model_error", failure });
    expect(model.requests).toHaveLength(10);
  });

  test("a success after failures leaves no trace of them but the journal's", async () => {
    const turn = await transitionsOf({
      model: scriptedModel([fails(overloaded), [says("half"), fails(overloaded)], says("Whole.")]),
    });

    expect(turn.texts).toEqual(["go", "Whole."]);
    expect(turn.events.filter((event) => event.type === "tombstone")).toHaveLength(1);
    expect(turn.journal.filter((entry) => entry.type === "message")).toHaveLength(1);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("a limit is waited for as told, up to a minute; beyond, it is shown", async () => {
    const limited = (retryAfterMs: number): ModelFailure => ({
      type: "rate_limited",
      retryAfterMs,
      message: "slow down",
    });
    const short = await transitionsOf({ model: scriptedModel([fails(limited(7_000)), says("Done.")]) });
    const long = await transitionsOf({ model: scriptedModel([fails(limited(61_000))]) });

    expect(short.waits).toEqual([7_000]);
    expect(short.terminal).toEqual({ reason: "completed" });
    expect(long.terminal).toEqual({ reason: "model_error", failure: limited(61_000) });
    expect(long.waits).toEqual([]);
  });

  test("an overload that says when to come back is left alone until then, within a minute", async () => {
    const told = (retryAfterMs: number): ModelFailure => ({ ...overloaded, retryAfterMs });
    const turn = await transitionsOf({
      model: scriptedModel([fails(told(7_000)), fails(told(600_000)), fails(told(0)), says("Done.")]),
    });

    expect(turn.waits).toEqual([7_000, 60_000, 1_000]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("unattended, a long limit is waited for, and overloads are ridden out up to the wall clock", async () => {
    const limited: ModelFailure = { type: "rate_limited", retryAfterMs: 600_000, message: "slow down" };
    const model = scriptedModel([
      fails(limited),
      ...Array.from({ length: 40 }, () => fails(overloaded)),
      says("Done."),
    ]);
    const turn = await transitionsOf({ model, unattendedMs: 3_600_000 });

    expect(turn.waits[0]).toBe(600_000);
    expect(turn.terminal).toEqual({ reason: "completed" });

    const never = scriptedModel(Array.from({ length: 400 }, () => fails(overloaded)));
    const capped = await transitionsOf({ model: never, unattendedMs: 600_000 });
    expect(capped.terminal).toEqual({ reason: "model_error", failure: overloaded });
    expect(capped.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(700_000);
  });

  test("unattended, a server that always says `at once` is not asked faster than one that says nothing", async () => {
    const hasty: ModelFailure = { type: "rate_limited", retryAfterMs: 1, message: "slow down" };
    const turn = await transitionsOf({ answers: () => ({ blocks: [], failure: hasty }), unattendedMs: 600_000 });

    expect(turn.requests).toBeLessThan(60);
    expect(turn.terminal).toEqual({ reason: "model_error", failure: hasty });
  });

  test("unattended, what was ridden out is no try: another failure after it is tried again as often as ever", async () => {
    const broken: ModelFailure = { type: "cut", phase: "content", message: "x" };
    const storm = Array.from({ length: 40 }, () => fails(overloaded));
    const passing = await transitionsOf({
      model: scriptedModel([...storm, fails(broken), ...storm, says("Done.")]),
      unattendedMs: 7_200_000,
    });
    const lasting = await transitionsOf({
      model: scriptedModel([...storm, ...Array.from({ length: 10 }, () => fails(broken))]),
      unattendedMs: 7_200_000,
    });

    expect(passing.terminal).toEqual({ reason: "completed" });
    expect(lasting.terminal).toEqual({ reason: "model_error", failure: broken });
    expect(lasting.requests).toBe(50);
    expect(Math.max(...passing.waits)).toBeLessThanOrEqual(32_000);
    const attempts = lasting.events.flatMap((event) => (event.type === "request_start" ? [event.attempt] : []));
    expect(attempts).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  test("only overloads one right after another make the next model be asked", async () => {
    const server: ModelFailure = { type: "server", status: 500, phase: "headers", message: "x" };
    const mixed = [overloaded, overloaded, server, overloaded, overloaded];
    const turn = await transitionsOf({
      model: scriptedModel([...mixed.map(fails), says("Done.")]),
      fallbacks: ["second"],
    });

    expect(turn.names).toEqual(Array(5).fill("request_retry"));
  });

  test("after three overloads running the next model is asked, and the answer of the first is gone", async () => {
    const first = [fails(overloaded), [says("half"), uses("Safe", {}), fails(overloaded)], fails(overloaded)];
    const model = scriptedModel([...first, says("From the second.")]);
    const turn = await transitionsOf({ model, fallbacks: ["second"] });

    expect(turn.transitions.slice(-1)).toEqual([{ type: "fallback_model", from: "scripted", to: "second" }]);
    expect(model.requests.map((request) => request.model)).toEqual(["scripted", "scripted", "scripted", "second"]);
    expect(turn.texts).toEqual(["go", "From the second."]);
  });

  test("a refusal goes to the fallback if there is one, else it ends the turn", async () => {
    const refusal = () => says("No.", { stop: "refusal" });
    const alone = await transitionsOf({ model: scriptedModel([refusal()]) });
    const helped = await transitionsOf({
      model: scriptedModel([refusal(), says("Yes.")]),
      fallbacks: ["second" as ModelId],
    });

    expect(alone.terminal).toEqual({ reason: "refusal" });
    expect(helped.names).toEqual(["fallback_model"]);
    expect(helped.texts).toEqual(["go", "Yes."]);
  });
});
