import { isRecord } from "../messages/api-shape.ts";
import { type ShellName, shellNames } from "../shell/find-shell.ts";
import { type PermissionMode, permissionModeNamed, permissionModes } from "./mode.ts";
import { type Platform, platforms, thisPlatform } from "./platform.ts";

const ruleSources = ["user", "project", "local", "flag"] as const;

/** Lists with more entries, all rules together, are refused. */
const MAX_ENTRIES = 2_000;

/** No system takes a longer path. Characters. */
export const MAX_PATH_CHARS = 32_767;
/** Additional directories, all together. Characters. */
const MAX_DIRECTORY_CHARS = 200_000;

/** One call to be judged, with the rules and the place it is judged by. */
export type CheckRequest = {
  tool: string;
  input: Record<string, unknown>;
  rules: { allow: string[]; ask: string[]; deny: string[] };
  rulesSource: (typeof ruleSources)[number];
  mode: PermissionMode;
  cwd: string;
  home?: string;
  additionalDirectories: string[];
  platform: Platform;
  readOnlyRoot?: string;
  shell?: ShellName;
};

/** A value of a request that cannot be judged. The message names the field and what it must be. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}

/** @throws BadRequest */
export function readCheckRequest(value: unknown): CheckRequest {
  if (!isRecord(value)) throw new BadRequest("the request is not an object");
  const { tool, input } = value;
  if (typeof tool !== "string" || tool.trim() === "") throw bad("tool", "the name of a tool");
  if (!isRecord(input)) throw bad("input", "an object");
  const rules = value["rules"] ?? {};
  if (!isRecord(rules)) throw bad("rules", "an object with the lists allow, ask and deny");
  const platform = oneOf(value, "platform", platforms) ?? thisPlatform;
  const shell = oneOf(value, "shell", shellNames);
  const home = path(value, "home", platform);
  const cwd = path(value, "cwd", platform);
  if (cwd === undefined) throw bad("cwd", "an absolute path");
  const root = text(value, "readOnlyRoot");
  const lists = { allow: texts(rules, "allow"), ask: texts(rules, "ask"), deny: texts(rules, "deny") };
  if (lists.allow.length + lists.ask.length + lists.deny.length > MAX_ENTRIES) throw bad("rules", TOO_MANY);
  const additionalDirectories = texts(value, "additionalDirectories");
  if (additionalDirectories.join("").length > MAX_DIRECTORY_CHARS)
    throw bad("additionalDirectories", `at most ${MAX_DIRECTORY_CHARS} characters together`);
  return {
    tool,
    input,
    rules: lists,
    rulesSource: oneOf(value, "rules_source", ruleSources) ?? "project",
    mode: modeOf(value),
    cwd,
    additionalDirectories,
    platform,
    ...(shell === undefined ? {} : { shell }),
    ...(home === undefined ? {} : { home }),
    ...(root === undefined ? {} : { readOnlyRoot: root }),
  };
}

function modeOf(value: Record<string, unknown>): PermissionMode {
  const name = text(value, "mode") ?? "default";
  const mode = permissionModeNamed(name);
  if (mode === undefined) throw bad("mode", `one of ${permissionModes.join(", ")}`);
  return mode;
}

function path(value: Record<string, unknown>, field: string, platform: Platform): string | undefined {
  const given = text(value, field);
  if (given === undefined) return undefined;
  const isAbsolute = platform === "win32" ? /^(?:[a-z]:)?[\\/]/i.test(given) : given.startsWith("/");
  if (!isAbsolute) throw bad(field, "an absolute path");
  if (given.length > MAX_PATH_CHARS) throw bad(field, `a path of at most ${MAX_PATH_CHARS} characters`);
  return given;
}

function text(value: Record<string, unknown>, field: string): string | undefined {
  const given = value[field];
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "string" || given === "") throw bad(field, "a text");
  if (given.includes("\0")) throw bad(field, "a text without NUL");
  return given;
}

function oneOf<const Value extends string>(
  value: Record<string, unknown>,
  field: string,
  values: readonly Value[],
): Value | undefined {
  const given = text(value, field);
  if (given === undefined) return undefined;
  const found = values.find((each) => each === given);
  if (found === undefined) throw bad(field, `one of ${values.join(", ")}`);
  return found;
}

function texts(value: Record<string, unknown>, field: string): string[] {
  const given = value[field];
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw bad(field, "a list of texts");
  if (given.length > MAX_ENTRIES) throw bad(field, TOO_MANY);
  return given.map((each: unknown) => {
    if (typeof each !== "string" || each.includes("\0")) throw bad(field, "a list of texts without NUL");
    return each;
  });
}

const TOO_MANY = `at most ${MAX_ENTRIES} entries`;
const bad = (field: string, what: string) => new BadRequest(`"${field}" must be ${what}`);
