import { inspectSettings, type SettingsReport, version } from "@pawl/core";
import type { CommandIo } from "../program-command.ts";
import { safeText } from "../terminal/shown-text.ts";
import { UsageError } from "../usage-error.ts";
import { readArguments } from "./arguments.ts";
import { type Entry, entriesOf } from "./entries.ts";
import { type Found, findPrograms } from "./machine.ts";
import { masked } from "./mask.ts";

/** Keys that a provider may be reached with; only whether they are there is told. */
const keyNames = ["PAWL_API_KEY", "ANTHROPIC_API_KEY", "PAWL_AUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"] as const;

type Diagnosis = {
  version: string;
  node: string;
  platform: string;
  /** What keeps things from working as the person wrote them. */
  problems: string[];
  hints: string[];
  files: SettingsReport["files"];
  settings: Entry[];
  trust: { state: "trusted" | "not_trusted"; folder?: string; items: { place: string; key: string }[] };
  keys: { name: string; isPresent: boolean }[];
  programs: Found[];
};

const help = `Usage: pawl doctor [--json]

What is set in this folder, from where, what is wrong, and what is missing on this machine. Exit code 1 when something is wrong.
Keys and passwords are not shown. Nothing is started, connected to or written.
`;

/** `pawl doctor`: exit code 1 when there are problems. */
export async function doctor(args: readonly string[], io: CommandIo): Promise<number> {
  const { words, isJson, isHelp, inspect } = readArguments(args);
  if (isHelp) return say(help, io, 0);
  if (words.length > 0)
    throw new UsageError(
      `pawl doctor takes no words, such as ${JSON.stringify(words[0])}; a prompt that begins with "doctor" goes into quotes`,
    );
  const diagnosis = diagnose(await inspectSettings(inspect), process.env);
  const text = isJson ? `${JSON.stringify(diagnosis, null, 2)}\n` : textOf(diagnosis);
  return say(safeText(text), io, diagnosis.problems.length === 0 ? 0 : 1);
}

function diagnose(report: SettingsReport, env: Readonly<Record<string, string | undefined>>): Diagnosis {
  const { settings, files, unknownKeys, trustQuestion } = report;
  const programs = findPrograms(env);
  const missing = programs.filter(({ path }) => path === undefined);
  const sayMissing = ({ name, use }: Found) => `${name} is not there: no ${use}`;
  return {
    version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    problems: [...report.problems, ...missing.filter(({ isNeeded }) => isNeeded).map(sayMissing)],
    hints: [
      ...unknownKeys.map(
        ({ key, place, line, suggestion }) =>
          `${place}${line === undefined ? "" : `:${line}`}: ${key} has no effect${suggestion === undefined ? "" : `; do you mean ${suggestion}?`}`,
      ),
      ...missing.filter(({ isNeeded }) => !isNeeded).map(sayMissing),
    ],
    files,
    settings: entriesOf(settings, report.unusedRules).map((entry) => ({
      ...entry,
      value: masked(entry.key, entry.value),
    })),
    trust: {
      state: trustQuestion === undefined ? "trusted" : "not_trusted",
      ...(trustQuestion === undefined ? {} : { folder: trustQuestion.folder }),
      items: (trustQuestion?.items ?? []).map(({ place, key }) => ({ place, key })),
    },
    keys: keyNames.map((name) => ({ name, isPresent: (env[name] ?? settings.env[name]?.value ?? "") !== "" })),
    programs,
  };
}

function textOf({ problems, hints, files, settings, trust, keys, programs, ...about }: Diagnosis): string {
  const shownFiles = files.filter(({ state }) => state !== "missing");
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [`Pawl ${about.version}, Node ${about.node}, ${about.platform}`, []],
    ["Problems", problems.length === 0 ? ["none"] : problems],
    ["Hints", hints],
    [
      "Settings files",
      shownFiles.length === 0
        ? ["none"]
        : shownFiles.map(
            ({ path, source, state }) =>
              `${path}  (${source.replace("Settings", "")}${state === "read" ? "" : `, ${state}`})`,
          ),
    ],
    [
      "Settings",
      settings.map(
        ({ key, value, place, isLeftOut }) =>
          `${key} = ${JSON.stringify(value)}${place === undefined ? "" : `  (${place})`}${isLeftOut ? "  left out" : ""}`,
      ),
    ],
    [
      "This folder",
      trust.state === "trusted"
        ? ["nothing in it waits for your consent"]
        : [
            `${trust.folder} is not trusted; left out until it is:`,
            ...trust.items.map(({ place, key }) => `${place}: ${key}`),
          ],
    ],
    ["Keys", keys.map(({ name, isPresent }) => `${name}: ${isPresent ? "yes" : "no"}`)],
    ["Programs", programs.map(({ name, path }) => `${name}: ${path ?? "not there"}`)],
  ];
  const shown = parts.filter(([, lines], at) => at === 0 || lines.length > 0);
  return `${shown.map(([title, lines]) => [title, ...lines.map((line) => `  ${line}`)].join("\n")).join("\n\n")}\n`;
}

async function say(text: string, io: CommandIo, code: number): Promise<number> {
  await io.stdout.write(text);
  return code;
}
