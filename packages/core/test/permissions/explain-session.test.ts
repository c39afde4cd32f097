import { checkPermission, type EngineOptions, permissionJudge } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, place } from "../scenarios/engine-harness.ts";

/** Calls of tools whose inputs are more than one path or command. */
const patch = (body: string) => ({ patch: `*** Begin Patch\n${body}\n*** End Patch` });

test.each<[string, Record<string, unknown>, string, Partial<EngineOptions>]>([
  ["ApplyPatch", patch("*** Delete File: .env"), "deny", { disallowedTools: ["Edit(.env)"] }],
  [
    "ApplyPatch",
    patch("*** Update File: a.txt\n*** Move to: .env\n@@\n-a\n+b"),
    "deny",
    { disallowedTools: ["Edit(.env)"] },
  ],
  ["ApplyPatch", patch("*** Add File: b.txt\n+b"), "allow", { permissionMode: "acceptEdits" }],
  ["ApplyPatch", patch("*** Add File: ../b.txt\n+b"), "ask", { permissionMode: "acceptEdits" }],
  ["LSP", { operation: "hover", filePath: ".env", line: 1, character: 1 }, "deny", { disallowedTools: ["Read(.env)"] }],
  ["LSP", { operation: "hover", filePath: "../x.ts", line: 1, character: 1 }, "ask", {}],
  [
    "Monitor",
    { ws: { url: "wss://a.invalid/" }, description: "x" },
    "deny",
    { disallowedTools: ["WebFetch(domain:a.invalid)"] },
  ],
  ["CronCreate", { cron: "0 0 1 1 *", prompt: "x" }, "allow", {}],
  ["CronList", {}, "allow", {}],
  ["ScheduleWakeup", { delaySeconds: 3600, reason: "x", prompt: "x" }, "allow", {}],
  ["KillShell", { shell_id: "nothing" }, "allow", {}],
])("%s %j is %s in a session, for explain and for check", async (tool, input, decision, options) => {
  await using at = await place({ "a.txt": "a\n", ".env": "x\n" });
  const asked: unknown[] = [];
  const canUseTool: EngineOptions["canUseTool"] = async (name) => {
    asked.push(name);
    return { behavior: "deny", message: "no" };
  };
  const mode = { permissionMode: "bypassPermissions" as const };
  const own = options.disallowedTools === undefined ? options : { ...mode, ...options };
  const model = scriptedModel([uses(tool, input), says("Done.")]);
  const { result } = await oneTurn({ ...at.options, ...own, model, canUseTool });
  const isDenied = asked.length === 0 && result.permission_denials.length > 0;
  expect(asked.length > 0 ? "ask" : isDenied ? "deny" : "allow").toBe(decision);

  const judge = await permissionJudge({ ...at.options, ...own });
  expect(await judge.explain(tool, input)).toMatchObject({ decision });
  const rules = { deny: own.disallowedTools ?? [] };
  const where = { cwd: at.project.root, home: at.home.root, mode: own.permissionMode ?? "default" };
  expect(await checkPermission({ tool, input, rules, ...where })).toMatchObject({ decision });
});
