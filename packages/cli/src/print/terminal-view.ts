import type { SdkApiRetry, SdkAssistant, SdkMessage, SdkResult, SdkStreamEvent, SdkUser } from "@pawl/core";
import type { Presenter } from "../presenter.ts";
import { Attempts } from "./attempts.ts";
import { DenialNotes } from "./denial-notes.ts";
import { ModelWait } from "./model-wait.ts";
import { type Room, resultLines } from "./result-lines.ts";
import { count, errorText, noticeOf, retryNote, retryReason, seconds, summaryOf } from "./result-text.ts";
import { Screen, type Terminal } from "./screen.ts";
import { StreamedText } from "./streamed-text.ts";
import { fitted, printable, type Style, styleFor } from "./terminal-text.ts";
import { toolLabel } from "./tool-label.ts";

const MAX_RESULT_LINES = 6;
const MAX_ROWS_PER_RESULT_LINE = 3;
const RESULT_INDENT = "  ⎿ ";
const RESULT_MARGIN = "    ";

/** Said where a discarded part of an answer cannot be taken off the screen. */
const BEGINS_ANEW = "the answer begins anew";

type Options = {
  isVerbose?: boolean;
  cwd?: string;
  /** For warnings and errors; default the process's. */
  stderr?: { write(text: string): unknown; isTTY?: boolean };
};

type SystemMessage = Extract<SdkMessage, { type: "system" }>;

/** For a person at a terminal: what happens, as it happens. */
export class TerminalView implements Presenter {
  readonly isAbandoned = false;
  readonly #screen: Screen;
  readonly #style: Style;
  readonly #options: Options;
  readonly #streamed = new StreamedText();
  readonly #attempts: Attempts;
  readonly #startedAt = Date.now();
  readonly #modelWait = new ModelWait();
  readonly #denials = new DenialNotes();
  /** Labels of the calls whose results are still to come, by use id. */
  readonly #running = new Map<string, string>();
  #lastLabel = "";
  #lastKind: "text" | "tool" | undefined;
  #tokens = 0;

  constructor(terminal: Terminal, options: Options = {}) {
    this.#style = styleFor(terminal);
    this.#options = options;
    this.#screen = new Screen(terminal, () => this.#statusText());
    this.#attempts = new Attempts(this.#screen);
  }

  async show(message: SdkMessage): Promise<void> {
    this.#denials.see(message);
    switch (message.type) {
      case "stream_event":
        return this.#streamEvent(message);
      case "assistant":
        return this.#assistant(message);
      case "user":
        return this.#results(message);
      case "result":
        return this.#result(message);
      case "system":
        return this.#system(message);
    }
  }

  async close(): Promise<void> {
    this.#screen.startLine();
    this.#screen.stop();
  }

  pause(): () => void {
    const resume = this.#screen.pause();
    this.#attempts.cover();
    return resume;
  }

  #system(message: SystemMessage): void {
    if (message.subtype === "init") {
      this.#attempts.keep();
      this.#screen.start();
    }
    if (message.subtype === "status" && message.status === "requesting") this.#request();
    if (message.subtype === "api_retry") this.#retry(message);
    if (message.subtype === "local_command_output") this.#screen.line(printable(message.content));
    if (message.subtype === "notification") this.#call(message);
    if (message.subtype !== "informational") return;
    if (message.level === "warning") this.#warn(message);
    else this.#notice(message);
  }

  #statusText(): string {
    const running = [...this.#running.values()].join(", ") || (this.#modelWait.text(Date.now()) ?? "thinking");
    const tokens = this.#tokens === 0 ? "" : ` · ${count(this.#tokens)} tokens`;
    return `${seconds(Date.now() - this.#startedAt)}${tokens} · ${running}`;
  }

  #streamEvent({ event }: SdkStreamEvent): void {
    this.#modelWait.heard(event, Date.now());
    const { text, outputTokens } = this.#streamed.take(event);
    if (text !== undefined) {
      this.#begin("text");
      this.#screen.print(printable(text));
    }
    this.#tokens += outputTokens ?? 0;
  }

  #assistant({ message, error, supersedes = [], uuid }: SdkAssistant): void {
    const isGone = this.#attempts.discardFrom(supersedes);
    if (isGone) this.#streamed.discard(); // what has come of the new answer went with it
    if (isGone === false) this.#note("an earlier try at this answer stands above and does not count");
    this.#attempts.add(uuid);
    for (const block of message.content) {
      if (block.type === "text" && error === undefined) this.#text(block.text);
      if (block.type === "tool_use") this.#toolUse(block.id, toolLabel(block.name, block.input, this.#options.cwd));
    }
  }

  #text(text: string): void {
    if (this.#streamed.isShown()) this.#screen.startLine();
    else {
      this.#begin("text");
      this.#screen.line(printable(text));
    }
  }

  /** An empty line between what the model says and what it does. */
  #begin(kind: "text" | "tool"): void {
    if (this.#lastKind !== undefined && this.#lastKind !== kind) this.#screen.line("");
    this.#lastKind = kind;
  }

  #toolUse(id: string, label: string): void {
    this.#running.set(id, label);
    this.#lastLabel = label;
    this.#begin("tool");
    this.#screen.line(`${this.#style.cyan("●")} ${fitted(label, this.#screen.columns - 2)}`);
  }

  #results({ message, tool_use_result: structured, isReplay }: SdkUser): void {
    if (isReplay || typeof message.content === "string") return;
    for (const block of message.content) {
      if (block.type !== "tool_result") continue;
      const result = { text: textOf(block["content"]), isError: block["is_error"] === true, structured };
      this.#resultBlock(String(block["tool_use_id"]), resultLines(result, this.#room, this.#style));
    }
    this.#attempts.keep();
  }

  get #room(): Room {
    if (this.#options.isVerbose) return { lines: Number.POSITIVE_INFINITY, columnsPerLine: Number.POSITIVE_INFINITY };
    const columnsPerLine = MAX_ROWS_PER_RESULT_LINE * this.#screen.columns - RESULT_MARGIN.length;
    return { lines: MAX_RESULT_LINES, columnsPerLine };
  }

  #resultBlock(id: string, lines: readonly string[]): void {
    const label = this.#running.get(id);
    this.#running.delete(id);
    // With several calls at once it must be said whose result this is.
    const isClear = label === undefined || label === this.#lastLabel;
    this.#lastLabel = "";
    const short = fitted(label ?? "", this.#screen.columns - RESULT_MARGIN.length - 1);
    const shown = isClear ? lines : withLabel(`${short}:`, lines);
    shown.forEach((line, index) => {
      this.#screen.line(`${index === 0 ? RESULT_INDENT : RESULT_MARGIN}${line}`);
    });
  }

  #request(): void {
    this.#discardUnfinished();
    const kind = this.#lastKind;
    this.#attempts.begin(() => {
      this.#lastKind = kind;
    });
    this.#modelWait.requested(Date.now());
  }

  #retry(retry: SdkApiRetry): void {
    const isGone = this.#discard();
    this.#modelWait.retryAt(Date.now() + retry.retry_delay_ms, retryReason(retry));
    this.#note(`${retryNote(retry)}${isGone ? "" : `; ${BEGINS_ANEW}`}`);
  }

  /** What an answer before this one has left open is not part of the conversation. */
  #discardUnfinished(): void {
    const isGone = !this.#streamed.isUnfinished || this.#discard();
    if (!isGone) this.#note(BEGINS_ANEW);
  }

  #discard(): boolean {
    this.#streamed.discard();
    this.#running.clear();
    return this.#attempts.discardLast();
  }

  #notice(message: SystemMessage): void {
    const text = noticeOf(message);
    if (text === undefined) return;
    this.#discardUnfinished();
    this.#note(text);
  }

  #warn(message: SystemMessage): void {
    this.#screen.aside(() => this.#tell(noticeOf(message) ?? ""));
  }

  /** Rings, and hands the message to terminals that show notifications. */
  #call(message: SystemMessage): void {
    const text = noticeOf(message) ?? "";
    const { stderr = process.stderr } = this.#options;
    this.#screen.aside(() => {
      this.#tell(text);
      if (stderr.isTTY === true) stderr.write(`\x07\x1b]9;${text}\x07`);
    });
  }

  #tell(text: string): void {
    const { stderr = process.stderr } = this.#options;
    stderr.write(`${styleFor(stderr).red(`pawl: ${printable(text)}`)}\n`);
  }

  #json(value: unknown): void {
    this.#begin("text");
    this.#screen.line(printable(JSON.stringify(value, null, 2)));
  }

  #note(text: string): void {
    this.#screen.line(this.#style.dim(`! ${printable(text)}`));
  }

  #result(result: SdkResult): void {
    this.#modelWait.answered();
    if (result.structured_output !== undefined) this.#json(result.structured_output);
    for (const note of this.#denials.take(result)) this.#note(note);
    this.#screen.line("");
    this.#screen.line(this.#style.dim(summaryOf(result)));
    this.#screen.stop();
    if (result.is_error) this.#tell(errorText(result));
  }
}

const withLabel = (label: string, lines: readonly string[]): string[] =>
  lines.length === 1 ? [`${label} ${lines[0]}`] : [label, ...lines];

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : `[${block?.type}]`)).join("\n");
}
