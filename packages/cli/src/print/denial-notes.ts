import type { SdkMessage, SdkResult, SdkUser } from "@pawl/core";
import { oneLine } from "./terminal-text.ts";
import { toolLabel } from "./tool-label.ts";

/** Why a call was not allowed: what decided, its reason, and whether it would have been asked about. */
type Why = { type: string; reason: string; isQuestion: boolean };

/** How the model is told of a call that got no leave. The reason stands behind. */
const beginning =
  /^(?:Permission to use .*? has been denied|(Pawl requested) permissions to .*?, but you haven't granted it yet)\. /s;

const noWord: Why = { type: "mode", reason: "", isQuestion: true };

/** Collects why calls were not allowed as a turn goes on, for a line about each at its end. */
export class DenialNotes {
  /** By the id of the tool use. Of this turn. */
  readonly #why = new Map<string, Why>();

  see(message: SdkMessage): void {
    if (message.type === "user") this.#results(message);
    if (message.type !== "system" || message.subtype !== "permission_denied") return;
    const { tool_use_id, decision_reason_type: type = "", decision_reason: reason = "" } = message;
    this.#why.set(tool_use_id, { type, reason, isQuestion: beginning.exec(message.message)?.[1] !== undefined });
  }

  /** One line for each call that was not allowed, but for those that the person at the terminal said no to. */
  take({ permission_denials }: SdkResult): string[] {
    const notes = permission_denials.flatMap(({ tool_name, tool_use_id, tool_input }) => {
      const why = this.#why.get(tool_use_id) ?? noWord;
      if (why.type === "user") return [];
      const parts = [`not allowed: ${toolLabel(tool_name, tool_input)}.`, oneLine(why.reason), whatToDo(why)];
      return [parts.filter((part) => part !== "").join(" ")];
    });
    this.#why.clear();
    return notes;
  }

  /** Of a rule about paths no frame tells: only the call's result does. */
  #results({ message: { content } }: SdkUser): void {
    for (const block of typeof content === "string" ? [] : content) {
      if (block.type !== "tool_result" || block.is_error !== true || this.#why.has(block.tool_use_id)) continue;
      const told = typeof block.content === "string" ? beginning.exec(block.content) : null;
      if (told === null) continue;
      const reason = told.input.slice(told[0].length);
      this.#why.set(block.tool_use_id, { type: "rule", reason, isQuestion: told[1] !== undefined });
    }
  }
}

function whatToDo({ type, reason, isQuestion }: Why): string {
  if (!isQuestion) return "";
  if (type !== "mode") return "There is nobody to ask: run it in a terminal.";
  // No allow rule counts while a plan is made.
  if (reason.startsWith('Mode "plan"')) return "Allow it with another --permission-mode.";
  return "Allow it with --allowedTools or --permission-mode.";
}
