/** One thing in the folder that would run, reach out or grant something. */
export type TrustItem = {
  /** Absolute path of the file that says it. */
  readonly place: string;
  /** The key in it, such as `permissions.allow` or `env.NODE_OPTIONS`. */
  readonly key: string;
  /** What it would run or grant, for people: untrusted text of any length on one line. */
  readonly effect: string;
  /** Against the last consent; all are `new` when there was none. */
  readonly status: "new" | "changed" | "same";
};

/** What a user is asked before anything in a folder is used. */
export type TrustQuestion = {
  /** Real path of what is trusted: the repository's root, or the start folder outside one. */
  readonly folder: string;
  /** `changed`: it was trusted, and what it would run or grant is another since. */
  readonly occasion: "new" | "changed";
  /** Never empty. */
  readonly items: readonly TrustItem[];
};

/** `yes` is remembered until the items change, `once` holds for this session, `no` goes on without the items. */
export type TrustAnswer = "yes" | "no" | "once";

export type AskTrust = (question: TrustQuestion) => Promise<TrustAnswer>;
