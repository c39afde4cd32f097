/**
 * The next time after `from` that a cron expression of five fields means, in local time; undefined when it never comes. Both
 * are milliseconds since the epoch.
 *
 * @throws Error that says what is wrong with the expression.
 */
export async function nextCronTime(cron: string, from: number): Promise<number | undefined> {
  const { Cron } = await import("croner");
  return new Cron(cron, { paused: true, mode: "5-part" }).nextRun(new Date(from))?.getTime();
}
