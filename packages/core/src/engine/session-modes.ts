import type { PermissionMode } from "../permissions/mode.ts";
import { type ModeRefusals, modeRefusals, startMode } from "../permissions/mode-limits.ts";
import type { Settings } from "../settings/settings.ts";
import type { EngineOptions } from "./options.ts";

type SessionModes = { refusals: ModeRefusals; mode: PermissionMode; notices: string[] };

/**
 * The modes that the session may be in, and the one it starts in.
 *
 * @param setting of the settings. @param stored of a session that goes on. @throws PawlError `bad_option`.
 */
export function sessionModes(
  { permissionMode, allowDangerouslySkipPermissions }: EngineOptions,
  settings: Settings,
  setting: PermissionMode | undefined,
  stored: PermissionMode | undefined,
): SessionModes {
  const refusals = modeRefusals({
    settings,
    enablesBypass: allowDangerouslySkipPermissions === true || [permissionMode, setting].includes("bypassPermissions"),
    isRoot: process.getuid?.() === 0,
    env: process.env, // whether this very process is confined, whatever its session is told
  });
  return { refusals, ...startMode({ option: permissionMode, stored, setting }, refusals) };
}
