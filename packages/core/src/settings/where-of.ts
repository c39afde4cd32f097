/** Where something was said, in words for people such as `user settings`. On the wire a source keeps its own name. */
export const sourceName = (source: string): string =>
  source === "cliArg" ? "flag" : source.replace(/Settings$/, " settings");

/** The beginning of what is said about a setting: `~/.pawl/settings.json:7`, or its source where no file is known. */
export const whereOf = ({
  source,
  place = sourceName(source),
  line,
}: {
  source: string;
  place?: string;
  line?: number;
}): string => (line === undefined ? place : `${place}:${line}`);
