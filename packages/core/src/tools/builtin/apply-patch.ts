import { parsePatch, pathsOf } from "../../files/parse-patch.ts";
import { structuredPatch } from "../../files/structured-patch.ts";
import { messageOf } from "../../lib/error.ts";
import { onFirstCall } from "../../lib/on-first-call.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult, Touch } from "../tool.ts";
import type { FileChange } from "./apply-patch-plan.ts";
import { refusal } from "./error-result.ts";
import { refusingFileErrors } from "./file-result.ts";

const carryOut = onFirstCall(async () => (await import("./apply-patch-carry-out.ts")).carryOut);
const planPatch = onFirstCall(async () => (await import("./apply-patch-plan.ts")).planPatch);

const inputSchema = {
  type: "object",
  properties: {
    patch: {
      type: "string",
      description: "The whole patch, from *** Begin Patch to *** End Patch, or a unified diff.",
    },
  },
  required: ["patch"],
  additionalProperties: false,
} as const;

const tool = defineTool({
  name: "ApplyPatch",
  description: `Changes, adds, removes and moves several files by one patch: all of them or none.

*** Begin Patch
*** Update File: src/a.ts
@@ function or class that the change is in
 a line that stays
-a line to remove
+a line to add
*** Add File: src/new.ts
+every line begins with +
*** Delete File: src/old.ts
*** End Patch

- *** Move to: PATH after an Update File line moves the file. A unified diff is taken as well.
- Give about 3 lines of context before and after a change. Together with the removed lines they must be in the file exactly once after the @@ line; without one, in the whole rest of the file.
- Files that are only updated need not have been read. Each file's own line endings and encoding are kept.
- Paths are relative to the working directory, or absolute. Not for notebooks (.ipynb).`,
  inputSchema,
  maxResultChars: 50_000,
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  touches: ({ patch }) => touchesOf(patch),
  run: ({ patch }, context) => refusingFileErrors(context.cwd, () => applyPatch(patch, context)),
});

/** A patch that cannot be read is invalid input: nobody is asked about it. */
export const applyPatchTool: typeof tool = {
  ...tool,
  parse(input) {
    const parsed = tool.parse(input);
    if (!parsed.ok) return parsed;
    try {
      parsePatch(parsed.input.patch);
      return parsed;
    } catch (error) {
      return { ok: false, issues: [messageOf(error)] };
    }
  },
};

const touchesOf = (patch: string): Touch[] =>
  parsePatch(patch)
    .flatMap(pathsOf)
    .map((path) => ({ type: "write", path }));

async function applyPatch(patch: string, context: ToolContext): Promise<ToolResult> {
  if (!patch.isWellFormed())
    return refusal("The patch holds half of a character (a lone surrogate). Send whole characters.");
  const changes = await planPatch(parsePatch(patch), context);
  const failed = await carryOut(changes, context);
  if (failed !== undefined) return refusal(failed);
  return {
    content: `The patch has been applied:\n${changes.map(shown).join("\n")}`,
    structured: { files: await Promise.all(changes.map(structured)) },
  };
}

function shown(change: FileChange): string {
  switch (change.type) {
    case "add":
      return `A ${change.path}`;
    case "delete":
      return `D ${change.path}`;
    case "update":
      return `M ${change.path}`;
    case "move":
      return `R ${change.path} -> ${change.to}`;
    default:
      return change satisfies never;
  }
}

async function structured(change: FileChange): Promise<object> {
  const before = change.type === "add" ? null : change.before.text;
  const after = change.type === "delete" ? "" : change.text;
  return {
    type: change.type,
    filePath: change.path,
    ...(change.type === "move" ? { movedTo: change.to } : {}),
    originalFile: before?.toWellFormed() ?? null,
    structuredPatch: change.type === "add" ? [] : await structuredPatch(before ?? "", after),
    userModified: false,
  };
}
