import { PawlError } from "../lib/error.ts";
import { isObject } from "../settings/check-value.ts";
import type { Combined, Settings } from "../settings/settings.ts";
import { whereOf } from "../settings/where-of.ts";

/** What a person may rely on for safety, and this version does not do: told, and never passed over in silence. */
export function notInForce({ other }: Settings): string[] {
  const { hooks, sandbox } = other;
  const told = [];
  if (isSet(hooks)) told.push(`${whereOf(hooks)}: hooks have no effect: this version runs none`);
  if (sandbox !== undefined && isOn(sandbox, "enabled")) {
    told.push(`${whereOf(sandbox)}: sandbox.enabled has no effect: this version confines no commands, they run as you`);
  }
  return told;
}

/** @throws PawlError `settings_invalid`: the settings say not to go on without a sandbox. */
export function refuseUnconfined({ other: { sandbox } }: Settings): void {
  if (sandbox === undefined || !isOn(sandbox, "enabled") || !isOn(sandbox, "failIfUnavailable")) return;
  const why = "sandbox.failIfUnavailable is set, and this version confines no commands";
  throw new PawlError("settings_invalid", `${whereOf(sandbox)}: ${why}; take it out to go on without`);
}

const isSet = (setting: Combined | undefined): setting is Combined =>
  isObject(setting?.value) && Object.keys(setting.value).length > 0;

const isOn = ({ value }: Combined, key: string): boolean => isObject(value) && value[key] === true;
