import { PawlError } from "../lib/error.ts";
import type { Settings, Sourced } from "../settings/settings.ts";
import { sourceName } from "../settings/where-of.ts";
import type { PermissionMode } from "./mode.ts";

/** Why a mode cannot be entered in this session; a mode that is not named can. */
export type ModeRefusals = Readonly<Partial<Record<PermissionMode, string>>>;

type Launch = {
  settings: Pick<Settings, "other">;
  /** Whether permissions may be bypassed later: asked for at the start, or by the mode that the session starts in. */
  enablesBypass: boolean;
  isRoot: boolean;
  env: Readonly<Record<string, string | undefined>>;
};

/** What the settings, the user and the start leave of the modes. */
export function modeRefusals({ settings, enablesBypass, isRoot, env }: Launch): ModeRefusals {
  const disabled = (key: string) => disabledBy(settings.other[`permissions.${key}`], key);
  const bypass =
    disabled("disableBypassPermissionsMode") ??
    (isRoot && !isSandboxed(env) ? ROOT : undefined) ??
    (enablesBypass ? undefined : NOT_ENABLED);
  const auto = disabled("disableAutoMode");
  return {
    ...(bypass === undefined ? {} : { bypassPermissions: bypass }),
    ...(auto === undefined ? {} : { auto }),
  };
}

const ROOT =
  "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons; run as another user, or " +
  "in a sandbox that sets IS_SANDBOX=1";
const NOT_ENABLED =
  "it was not enabled when the session started; start with --allow-dangerously-skip-permissions " +
  "(option allowDangerouslySkipPermissions)";

function disabledBy(setting: Sourced<unknown> | undefined, key: string): string | undefined {
  return setting?.value === "disable" ? `permissions.${key} is "disable" (${sourceName(setting.source)})` : undefined;
}

/** A container or virtual machine made to be thrown away says so itself. */
function isSandboxed(env: Launch["env"]): boolean {
  return [env["PAWL_SANDBOX"], env["IS_SANDBOX"]].some((value) => /^(?:1|true|yes)$/i.test(value ?? ""));
}

/** @throws PawlError `bad_option`. */
export function refuseMode(mode: PermissionMode, refusals: ModeRefusals): void {
  const refusal = refusals[mode];
  if (refusal !== undefined) throw new PawlError("bad_option", `Permission mode "${mode}" is refused: ${refusal}.`);
}

/** The mode to start in: one that was asked for must be possible, one of the settings or of a stored session gives way. */
export function startMode(
  wanted: { [Origin in "option" | "stored" | "setting"]?: PermissionMode | undefined },
  refusals: ModeRefusals,
): { mode: PermissionMode; notices: string[] } {
  if (wanted.option !== undefined) {
    refuseMode(wanted.option, refusals);
    return { mode: wanted.option, notices: [] };
  }
  const mode = wanted.stored ?? wanted.setting ?? "default";
  const refusal = refusals[mode];
  if (refusal === undefined) return { mode, notices: [] };
  return { mode: "default", notices: [`Permission mode "${mode}" is not used, but "default": ${refusal}.`] };
}
