/** What happens before a tool changes something. `plan`: nothing is changed; `dontAsk`: what is not allowed is denied. */
export const permissionModes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
export type PermissionMode = (typeof permissionModes)[number];
