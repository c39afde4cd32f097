import { readsOnly } from "../shell/analysis/read-only/verdict.ts";
import { namedProgram, withStarted } from "../shell/analysis/simple-command.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { judgedAnalysis } from "./free.ts";

/** Why a look with git, else free, is asked about here: a sentence with a blank before it, or nothing. */
export async function gitNote({ touches }: PermissionRequest, context: PermissionContext): Promise<string> {
  const lines = touches.flatMap((touch) => (touch.type === "command" ? [touch.command] : []));
  const commands = lines.flatMap((line) => withStarted(judgedAnalysis(line)?.commands ?? []));
  const looks = commands.some((command) => namedProgram(command) === "git" && readsOnly(command) !== undefined);
  const [first] = looks ? ((await context.gitPrograms?.(context.cwd)) ?? []) : [];
  return first === undefined ? "" : ` The repository's configuration may make git start something (${first}).`;
}
