import { homedir } from "node:os";
import { posix } from "node:path";
import { messageOf, PawlError } from "../lib/error.ts";
import { type DescribedTool, describeCall } from "./call-touches.ts";
import { filesOf } from "./check-files.ts";
import { BadRequest, type CheckRequest, MAX_PATH_CHARS, readCheckRequest } from "./check-request.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { decidePermission } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { expandHome, placeOf } from "./place.ts";
import type { Platform } from "./platform.ts";
import { parseRule, type RuleList, type RuleSource } from "./rule.ts";
import { inertRuleWarning, type RuleSet } from "./rule-set.ts";
import { touchedPaths } from "./touched-paths.ts";
import { compared, windowsContext } from "./windows-context.ts";

/** What a check says of one call. With `error` the request itself could not be judged, and the decision is `deny`. */
export type CheckAnswer = {
  decision: Decision["behavior"];
  /** The rule that decided, as it was given. */
  rule?: string;
  /** Where that rule comes from: the request's `rules_source`. */
  source?: CheckRequest["rulesSource"];
  reason: string;
  /** Rules that can never match, or were left out. */
  warnings?: string[];
  error?: CheckFault;
};

type CheckFault = "invalid_request" | "invalid_input" | "invalid_path" | "invalid_rule" | "internal";

/**
 * What the package gives as `checkPermission`. Never throws: whatever cannot be judged is denied, with `error`.
 *
 * @param value as `readCheckRequest` reads it.
 * @param tools what they say of their own calls is what counts.
 */
export async function checkPermission(value: unknown, tools: readonly DescribedTool[] = []): Promise<CheckAnswer> {
  try {
    return await check(readCheckRequest(value), tools);
  } catch (error) {
    if (error instanceof BadRequest) return refused("invalid_request", error.message);
    if (error instanceof PawlError && error.code === "rule_invalid") return refused("invalid_rule", error.message);
    return refused("internal", messageOf(error));
  }
}

const refused = (error: CheckFault, reason: string): CheckAnswer => ({ decision: "deny", reason, error });

async function check(wanted: CheckRequest, tools: readonly DescribedTool[]): Promise<CheckAnswer> {
  const request = describeCall(wanted.tool, wanted.input, tools);
  if ("fault" in request) return refused("invalid_input", request.fault);
  const { rules, warnings } = rulesOf(wanted);
  const told = warnings.length === 0 ? {} : { warnings };
  const context = await contextOf(wanted, rules);
  const nowhere = await impossiblePath(request, context);
  if (nowhere !== undefined) return { ...refused("invalid_path", nowhere), ...told };
  const decision = await decidePermission(request, context);
  const { behavior, because } = decision;
  const rule = because.rule === undefined ? {} : { rule: because.rule, source: wanted.rulesSource };
  return { decision: behavior, ...rule, reason: reasonOf(decision), ...told };
}

const reasonOf = (decision: Decision): string =>
  decision.behavior === "ask" && decision.isForClassifier === true
    ? `${decision.because.reason} A classifier would answer, and there is none here.`
    : decision.because.reason;

const sources: Readonly<Record<CheckRequest["rulesSource"], RuleSource>> = {
  user: "userSettings",
  project: "projectSettings",
  local: "localSettings",
  flag: "cliArg",
};

/** A rule that cannot be read is left out of `allow`; without one of `ask` or `deny` nothing can be said. */
function rulesOf({ rules: texts, rulesSource, home, platform }: CheckRequest): { rules: RuleSet; warnings: string[] } {
  const warnings: string[] = [];
  // The user's file may stand in our own folder, or in the one whose layout is read too.
  const anchors = rulesSource === "user" ? configFolders(home ?? homedir(), platform) : [undefined];
  const read = (list: RuleList) =>
    texts[list].flatMap((text) => {
      try {
        const rule = parseRule(text, sources[rulesSource]);
        const warning = inertRuleWarning(rule, list);
        if (warning !== undefined) warnings.push(warning);
        if (warning !== undefined && list === "allow") return [];
        return anchors.map((anchor) => (anchor === undefined ? rule : { ...rule, anchor }));
      } catch (error) {
        if (list !== "allow") throw error;
        warnings.push(`${messageOf(error)}; the rule is left out`);
        return [];
      }
    });
  const rules = { allow: read("allow"), ask: read("ask"), deny: read("deny") };
  return { rules, warnings };
}

const configFolders = (home: string, platform: Platform): string[] => {
  const folder = platform === "win32" ? compared(home) : home;
  return [posix.join(folder, ".pawl"), posix.join(folder, ".claude")];
};

async function contextOf(request: CheckRequest, rules: RuleSet): Promise<PermissionContext> {
  const { platform, mode, additionalDirectories } = request;
  const home = request.home ?? homedir();
  const read = (path: string) => (platform === "win32" ? compared(path) : posix.resolve(path));
  const cwd = read(request.cwd);
  const context = {
    mode,
    rules,
    cwd,
    startCwd: cwd,
    directories: [cwd],
    home: read(home),
    configHome: posix.join(read(home), ".pawl"),
    platform,
    ...(request.shell === undefined ? {} : { shell: request.shell }),
    files: filesOf(request),
  };
  const directories: string[] = [];
  for (const path of [cwd, ...additionalDirectories.map((each) => expandHome(each, context.home))]) {
    const { lexical, real } = await placeOf(path, context);
    directories.push(...(real.length === 0 ? [lexical] : real));
  }
  return platform === "win32" ? windowsContext({ ...context, directories }) : { ...context, directories };
}

/** A path that no file can have: no call of it can come to anything. */
async function impossiblePath(request: PermissionRequest, context: PermissionContext): Promise<string | undefined> {
  for (const path of touchedPaths(request)) {
    if (path.length > MAX_PATH_CHARS)
      return `a path of ${path.length} characters; no system takes more than ${MAX_PATH_CHARS}`;
    if (path.includes("\0")) return `${JSON.stringify(path)} holds a NUL byte; no path can`;
    const { fault } = await placeOf(path, context);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
