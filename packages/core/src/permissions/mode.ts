/**
 * What happens before a tool changes something. `plan`: nothing is changed; `dontAsk`: what is not allowed is denied; `auto`: a
 * classifier answers what would be asked.
 */
export const permissionModes = ["default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** The mode of that name, `manual` being another one for `default`; undefined when there is none. */
export function permissionModeNamed(name: string): PermissionMode | undefined {
  return name === "manual" ? "default" : permissionModes.find((mode) => mode === name);
}
