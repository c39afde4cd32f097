import { changeSetting, inspectSettings, removeSetting, type SettingScope } from "@pawl/core";
import type { CommandIo } from "../program-command.ts";
import { safeText } from "../terminal/shown-text.ts";
import { UsageError } from "../usage-error.ts";
import { type CommandArguments, readArguments } from "./arguments.ts";
import { type Entry, entriesOf, valueAt } from "./entries.ts";
import { masked } from "./mask.ts";

const help = `Usage: pawl config list [--json]
       pawl config get <key> [--json]
       pawl config set <key> <value> [--scope user|project|local]
       pawl config unset <key> [--scope user|project|local]

list and get show what counts in this folder, list also from where; with --scope what that file says. set and unset write the
user's own file if no scope is given. A value is JSON, or plain text where the key holds one. --settings, --setting-sources and
--trust are taken as they are for a prompt. A prompt that begins with the word "config" goes into quotes.

Keys: docs/settings.md.
`;

/** `pawl config …`: exit code 1 when `get` or `unset` finds nothing. */
export async function config(args: readonly string[], io: CommandIo): Promise<number> {
  const given = readArguments(args);
  const [action, ...words] = given.words;
  if (given.isHelp) return show(help, io);
  switch (action) {
    case "list":
      takes(action, words, 0);
      return list(given, io);
    case "get":
      return get(takes(action, words, 1)[0] ?? "", given, io);
    case "set":
      return set(takes(action, words, 2), given.scope ?? "user", io);
    case "unset":
      return unset(takes(action, words, 1)[0] ?? "", given.scope ?? "user", io);
    default:
      throw new UsageError(
        `pawl config does list, get, set or unset${action === undefined ? "" : `, not ${JSON.stringify(action)}`}; a prompt that begins with "config" goes into quotes`,
      );
  }
}

function takes(action: string, words: readonly string[], count: number): readonly string[] {
  if (words.length === count) return words;
  const wanted = ["nothing more", "a key", "a key and a value"][count];
  throw new UsageError(
    `pawl config ${action} takes ${wanted}, not ${words.length} words; put a value with blanks into quotes`,
  );
}

async function inspected({ scope, inspect }: CommandArguments, io: CommandIo) {
  // One file's own view needs no consent: nothing of it is put to use here.
  const only = scope === undefined ? {} : { settingSources: [scope], trustFolder: true };
  const report = await inspectSettings({ ...inspect, ...only });
  for (const warning of [...report.settings.warnings, ...report.leftOut]) await say(warning, io);
  return report;
}

const ofScope = (entries: readonly Entry[], scope: SettingScope | undefined): readonly Entry[] =>
  scope === undefined ? entries : entries.filter(({ source }) => source === `${scope}Settings`);

async function list(given: CommandArguments, io: CommandIo): Promise<number> {
  const { settings, unusedRules } = await inspected(given, io);
  const entries = ofScope(entriesOf(settings, unusedRules), given.scope).map((entry) => ({
    ...entry,
    value: masked(entry.key, entry.value),
  }));
  if (given.isJson) return show(`${JSON.stringify(entries, null, 2)}\n`, io);
  if (entries.length === 0) await say("nothing is set here", io);
  return show(safeText(entries.map(lineOf).join("")), io);
}

const lineOf = ({ key, value, source, place, isLeftOut }: Entry): string =>
  `${key} = ${JSON.stringify(value)}  (${source.replace("Settings", "")}${place === undefined ? "" : `: ${place}`})${isLeftOut ? "  left out, pawl doctor says why" : ""}\n`;

async function get(key: string, given: CommandArguments, io: CommandIo): Promise<number> {
  const value = valueAt((await inspected(given, io)).settings, key);
  if (value === undefined) {
    await say(`${key} is not set`, io);
    return 1;
  }
  const isText = typeof value === "string" && !given.isJson;
  return show(`${isText ? value : JSON.stringify(value, null, 2)}\n`, io);
}

async function set([key = "", text = ""]: readonly string[], scope: SettingScope, io: CommandIo): Promise<number> {
  const { file, value, isChanged, notes } = await changeSetting(key, text, scope);
  for (const note of notes) await say(note, io);
  const shown = JSON.stringify(masked(key, value));
  await say(`${isChanged ? "" : "already "}set in ${file}: ${key} = ${shown}`, io);
  return tellStronger(key, value, io);
}

/** A value that another file overrides would else look as if it had no effect. */
async function tellStronger(key: string, value: unknown, io: CommandIo): Promise<number> {
  const { settings } = await inspectSettings();
  const counts = valueAt(settings, key);
  const isList = Array.isArray(value) || (typeof value === "object" && value !== null);
  if (!isList && JSON.stringify(counts) !== JSON.stringify(value)) {
    const stronger = entriesOf(settings).findLast((entry) => entry.key === key);
    const from = stronger?.place ?? "another source";
    await say(
      `here ${key} is ${JSON.stringify(masked(key, counts)) ?? "not set"} all the same, because of ${from}`,
      io,
    );
  }
  return 0;
}

async function unset(key: string, scope: SettingScope, io: CommandIo): Promise<number> {
  const { file, isChanged } = await removeSetting(key, scope);
  await say(isChanged ? `unset in ${file}: ${key}` : `${key} is not set in ${file}`, io);
  return isChanged ? 0 : 1;
}

const say = (text: string, io: CommandIo): Promise<void> => io.stderr.write(`pawl: ${safeText(text)}\n`);

async function show(text: string, io: CommandIo): Promise<number> {
  await io.stdout.write(text);
  return 0;
}
