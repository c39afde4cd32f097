import type { LoadedSession } from "../transcript/resume.ts";

/** What of a stored session could not be read is said, not passed over. */
export function damageNotices(loaded: LoadedSession | undefined): string[] {
  const [first] = loaded?.problems ?? [];
  if (loaded === undefined) return [];
  if (first === undefined)
    return loaded.messages.length > 0 ? [] : [`${loaded.path}: holds no messages; the session begins anew.`];
  const more = loaded.problems.length > 1 ? `, and ${loaded.problems.length - 1} more` : "";
  return [
    `${loaded.path}:${first.line}: ${first.message}${more}. What can be read is kept: ${loaded.messages.length} messages.`,
  ];
}
