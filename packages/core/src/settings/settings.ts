/** Files and layers that settings come from, as they are named on the wire. */
export type SettingSource = "userSettings" | "projectSettings" | "localSettings" | "flagSettings" | "policySettings";

export type Sourced<T> = { readonly value: T; readonly source: SettingSource };

/** Every layer merged into one frozen value; of each key it is known where it comes from. */
export type Settings = {
  readonly permissions: {
    /** Rules as written, the weakest source first. */
    readonly allow: readonly Sourced<string>[];
    readonly ask: readonly Sourced<string>[];
    readonly deny: readonly Sourced<string>[];
    readonly defaultMode?: Sourced<string>;
    /** As written: absolute, or relative to the start directory. */
    readonly additionalDirectories: readonly Sourced<string>[];
  };
  /** For the session and its children; an empty value unsets the variable. */
  readonly env: Readonly<Record<string, Sourced<string>>>;
  readonly model?: Sourced<string>;
  /** A shell command whose output is the key for the model; never of a project, whose author could read what it prints. */
  readonly apiKeyHelper?: Sourced<string>;
  /** Every other key, as it stands; those inside `permissions` as `permissions.key`. */
  readonly other: Readonly<Record<string, Sourced<unknown>>>;
  /** What was left out, where, and how to fix it. */
  readonly warnings: readonly string[];
};
