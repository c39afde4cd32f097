/** Files and layers that settings come from, as they are named on the wire. */
export type SettingSource = "userSettings" | "projectSettings" | "localSettings" | "flagSettings" | "policySettings";

export type Sourced<T> = {
  readonly value: T;
  readonly source: SettingSource;
  /** The file's absolute path, or the flag; absent when no file or flag was read. */
  readonly place?: string;
  /** Of what a file says: the line that it begins in, from 1. */
  readonly line?: number;
};

/** A key that several files may add to: `value` is all of it, `source`, `place` and `line` the strongest that say something. */
export type Combined = Sourced<unknown> & {
  /** What each says, the weakest first. */
  readonly parts?: readonly Sourced<unknown>[];
};

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
  /** Every other key: objects merged, lists joined; those inside `permissions` as `permissions.key`. */
  readonly other: Readonly<Record<string, Combined>>;
  /** What was left out, where, and how to fix it. */
  readonly warnings: readonly string[];
};
