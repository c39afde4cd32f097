import type { PermissionContext, PermissionRequest } from "./context.ts";
import { liesIn, placeOf } from "./place.ts";
import { isOfFamily } from "./tool-family.ts";

/** Whether the call only writes the session's plan, which plan mode allows wherever the plan lies. */
export async function isPlanEdit(request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  const { mode, planPath } = context;
  if (mode !== "plan" || planPath === undefined) return false;
  if (request.touches.length === 0 || !isOfFamily(request.tool, "Edit")) return false;
  for (const touch of request.touches) {
    if (touch.type !== "read" && touch.type !== "write") return false;
    if (!liesIn(await placeOf(touch.path, context), [planPath])) return false;
  }
  return true;
}
