import { interpreters, shells } from "../shell/analysis/meaning.ts";
import type { PermissionContext } from "./context.ts";
import type { Rule } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";

/** The rules as the mode lets them count: while a classifier decides, those that would leave it nothing are out. */
export function rulesInMode({ mode, rules }: Pick<PermissionContext, "mode" | "rules">): RuleSet {
  return mode === "auto" ? { ...rules, allow: rules.allow.filter((rule) => !isTooBroadForAuto(rule)) } : rules;
}

/** Programs that run whatever their arguments say. */
const runners: ReadonlySet<string> = new Set([
  ...shells,
  ...interpreters,
  ...(
    "eval exec source . env sudo doas su xargs parallel ssh nohup timeout time nice stdbuf command builtin setsid watch flock " +
    "find fd awk gawk mawk tsx ts-node irb julia docker podman kubectl make just PowerShell"
  ).split(" "),
]);

/** Programs that fetch and run packages, or a project's scripts: with these words, or with nothing before a `*`. */
const packageRunners: ReadonlySet<string> = new Set("npx bunx pnpx uvx pipx dlx".split(" "));
const packageManagers: ReadonlySet<string> = new Set("npm pnpm yarn bun uv poetry pipenv cargo go deno".split(" "));
const runWords: ReadonlySet<string> = new Set("exec x dlx run run-script".split(" "));

/** Whether an allow rule says yes to things nobody has seen, which is what mode `auto` has a classifier for. */
export function isTooBroadForAuto({ tool, spec }: Rule): boolean {
  if (tool === "Agent" || tool === "Monitor" || tool === "PowerShell") return true;
  if (tool !== "Bash") return false;
  if (spec === undefined) return true;
  if (!spec.includes("*")) return false;
  const words = spec.slice(0, spec.indexOf("*")).replace(/:$/, " ").split(/\s+/);
  const isCut = !/[\s:]$/.test(spec.slice(0, spec.indexOf("*"))); // `pyth*` names programs that it does not spell out
  const named = words.filter((word) => word !== "" && !/^[A-Za-z_]\w*=/.test(word));
  const program = (named[0] ?? "").replace(/^.*\//, "");
  if (program === "" || (isCut && named.length === 1)) return true;
  if (runners.has(program.replace(/[\d.]+$/, "")) || packageRunners.has(program)) return true;
  const [, second] = named;
  return packageManagers.has(program) && (second === undefined || (runWords.has(second) && named.length === 2));
}
