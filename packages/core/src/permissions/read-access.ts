import { join } from "node:path";
import type { PermissionContext } from "./context.ts";
import { type PathTest, pathTest } from "./match-path.ts";
import type { Rule } from "./rule.ts";

/** What the rules say of reading a file: `ask` when a rule wants the user to be asked first. */
type ReadVerdict = "open" | "ask" | "deny";

/** The verdict on what lies below one folder, by its path from there. */
export type ReadFilter = (below: string) => ReadVerdict;

/** What a tool may ask of the rules beyond the one path that its call was judged by. */
export type ReadAccess = {
  /** Whether the Read tool could read this path now. */
  decide(path: string): Promise<"allow" | "ask" | "deny">;
  /** For what a walk that follows no links meets below `folder`; undefined when no rule is about files. */
  below(folder: string): Promise<ReadFilter | undefined>;
};

/** Searches show nothing of a file that a deny rule keeps from being read, nor of one about which a rule asks first. */
export async function readFilter(folder: string, context: PermissionContext): Promise<ReadFilter | undefined> {
  const deny = await testsOf(context.rules.deny, context);
  const ask = await testsOf(context.rules.ask, context);
  if (deny.length + ask.length === 0) return undefined;
  const real = await context.files.realPath(folder);
  return (below) => {
    const paths = [join(folder, below), join(real, below)];
    const isCovered = (test: PathTest) => paths.some(test);
    if (deny.some(isCovered)) return "deny";
    return ask.some(isCovered) ? "ask" : "open";
  };
}

async function testsOf(rules: readonly Rule[], context: PermissionContext): Promise<PathTest[]> {
  const tests: PathTest[] = [];
  for (const { spec, ...rule } of rules) {
    if (rule.tool === "Read" && spec !== undefined) tests.push(await pathTest({ ...rule, spec }, "wide", context));
  }
  return tests;
}
