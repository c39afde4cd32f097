/** The beginning of what is said about a setting: `~/.pawl/settings.json:7`, or its source where no file is known. */
export const whereOf = ({ source, place = source, line }: { source: string; place?: string; line?: number }): string =>
  line === undefined ? place : `${place}:${line}`;
