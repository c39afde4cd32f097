import { posix } from "node:path";
import { isRecord } from "../messages/api-shape.ts";
import { kindOf } from "../settings/check-value.ts";
import { isReadOnlyCommand } from "../shell/analysis/read-only/read-only-command.ts";
import type { PermissionRequest } from "./context.ts";
import type { Touch } from "./touch.ts";

type Input = Readonly<Record<string, unknown>>;

/** Which fields of a public tool's input say what it reaches. A field that is needed and missing is a fault. */
const readers: Readonly<Record<string, (input: Input) => Touch[] | string>> = {
  Read: (input) => oneOf(input, "file_path", (path) => ({ type: "read", path })),
  Write: (input) => oneOf(input, "file_path", (path) => ({ type: "write", path })),
  Edit: (input) => oneOf(input, "file_path", (path) => ({ type: "write", path })),
  MultiEdit: (input) => oneOf(input, "file_path", (path) => ({ type: "write", path })),
  NotebookEdit: (input) => oneOf(input, "notebook_path", (path) => ({ type: "write", path })),
  Bash: (input) => oneOf(input, "command", (command) => ({ type: "command", command })),
  Monitor: ({ ws, ...input }) =>
    input["command"] === undefined && isRecord(ws)
      ? oneOf(ws, "url", (url) => ({ type: "url", url }))
      : oneOf(input, "command", (command) => ({ type: "command", command })),
  WebFetch: (input) => oneOf(input, "url", (url) => ({ type: "url", url })),
  Cd: (input) => oneOf(input, "path", (path) => ({ type: "read", path })),
  Grep: ({ path = "." }) => (typeof path === "string" ? [{ type: "read", path }] : wrongField("path", path)),
  Glob: ({ pattern, path = "." }) => {
    if (typeof pattern !== "string") return wrongField("pattern", pattern);
    return typeof path === "string" ? [{ type: "read", path: globFolder(pattern, path) }] : wrongField("path", path);
  },
  TodoWrite: () => [],
};

const readOnlyTools: ReadonlySet<string> = new Set(
  "Read Grep Glob LSP WebFetch WebSearch TodoWrite TaskList TaskGet Cd".split(" "),
);

/** What a tool says of its own calls. */
export type DescribedTool = {
  readonly name: string;
  readonly aliases?: readonly string[];
  parse(input: unknown): { ok: true; input: unknown } | { ok: false };
  touches(input: unknown): readonly Touch[];
  isReadOnly(input: unknown): boolean;
};

/**
 * A call as its tool describes it, when it is one of `tools` and the input fits; else by the tool's name and the fields that
 * say what a public tool reaches. Or what is wrong with the input.
 */
export function describeCall(
  tool: string,
  input: Record<string, unknown>,
  tools: readonly DescribedTool[] = [],
): PermissionRequest | { fault: string } {
  const offered = tools.find(({ name, aliases = [] }) => name === tool || aliases.includes(tool));
  const parsed = offered?.parse(input);
  if (offered === undefined || parsed?.ok !== true) return describeByName(tool, input);
  const touches = offered.touches(parsed.input);
  return { tool: offered.name, input, touches, isReadOnly: offered.isReadOnly(parsed.input) };
}

function describeByName(tool: string, input: Record<string, unknown>): PermissionRequest | { fault: string } {
  const read = Object.hasOwn(readers, tool) ? readers[tool] : undefined;
  const touches: Touch[] | string = read === undefined ? [{ type: "other" }] : read(input);
  if (typeof touches === "string") return { fault: `${tool}: ${touches}` };
  const isReadOnly =
    readOnlyTools.has(tool) || touches.some((touch) => touch.type === "command" && isReadOnlyCommand(touch.command));
  return { tool, input, touches, isReadOnly };
}

function oneOf(input: Input, field: string, touch: (text: string) => Touch): Touch[] | string {
  const value = input[field];
  return typeof value === "string" && value !== "" ? [touch(value)] : wrongField(field, value);
}

function wrongField(field: string, value: unknown): string {
  const is = value === undefined ? "is missing" : value === "" ? "is empty" : `is not a text but ${kindOf(value)}`;
  return `its input's "${field}" ${is}`;
}

/** Where a search by names begins: what stands before the first segment that is a pattern. */
function globFolder(pattern: string, path: string): string {
  const segments = pattern.split("/");
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@\\]/.test(segment));
  const literal = segments.slice(0, wild === -1 ? -1 : wild).join("/");
  return pattern.startsWith("/") ? literal || "/" : posix.join(path, literal);
}
