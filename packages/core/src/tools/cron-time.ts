/**
 * The next time after `from` that a cron expression of five fields means, in local time; undefined when it never comes. Both
 * are milliseconds since the epoch.
 *
 * @throws Error that says what is wrong with the expression.
 */
export async function nextCronTime(cron: string, from: number): Promise<number | undefined> {
  const { Cron } = await import("croner");
  const job = new Cron(cron, { paused: true, mode: "5-part" });
  try {
    return job.nextRun(new Date(from))?.getTime();
  } catch (error) {
    // The search goes month by month into itself, without end for a day that no such month has: `0 0 31 4,6 *`.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
