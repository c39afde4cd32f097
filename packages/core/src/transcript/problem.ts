import type { LineDamage } from "../lib/jsonl.ts";

/** What a reader of a transcript found wrong and read around. */
export type Problem = {
  type:
    | LineDamage
    | "not_a_record"
    | "unreadable_message"
    | "unreadable_record"
    | "duplicate_uuid"
    | "missing_parent"
    | "cycle"
    | "no_summary"
    | "newer_record";
  /** From 1. */
  line: number;
  message: string;
};
