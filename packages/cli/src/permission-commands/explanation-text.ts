import type { PermissionExplanation } from "@pawl/core";
import { withUnseenShown } from "../terminal/shown-text.ts";

type Explained = NonNullable<PermissionExplanation["commands"]>[number];

/** An explanation for people: the decision first, then what it was made from. Nothing in it can move the cursor. */
export function explanationText(explanation: PermissionExplanation): string {
  const { decision, tool, reason, rule, mode, paths = [], commands = [], doubts = [] } = explanation;
  return [
    `${decision}: ${tool}`,
    `  why:  ${reason}`,
    ...(rule === undefined ? [] : [`  rule: ${ruleText(rule)}`]),
    `  mode: ${mode}`,
    ...paths.map(({ type, path, leadsTo }) => `  ${type} ${path}${wayOf(path, leadsTo)}`),
    ...(commands.length === 0 ? [] : ["  commands:"]),
    ...commands.flatMap(commandLines),
    ...(doubts.length === 0 ? [] : ["  cannot be told before it runs:", ...doubts.map((doubt) => `    - ${doubt}`)]),
  ]
    .map((line) => `${withUnseenShown(line)}\n`)
    .join("");
}

function commandLines({ judged, text, startedBy, directories, redirections, rule, reason }: Explained): string[] {
  const indent = startedBy === undefined ? "    " : "      ";
  const places = directories.filter((directory) => directory !== "");
  const where = places.map((directory) => directory ?? "a folder that only the running shell knows").join(" or ");
  return [
    `${indent}${judged.padEnd(5)} ${text === "" ? "(no program)" : text}${startedBy === undefined ? "" : `   (started by: ${startedBy})`}`,
    ...(where === "" ? [] : [`${indent}      in ${where}`]),
    ...redirections.map(({ type, target }) => `${indent}      ${type} ${target}`),
    `${indent}      ${reason}${rule === undefined ? "" : ` ${ruleText(rule)}`}`,
  ];
}

const ruleText = ({ rule, source, place, line }: NonNullable<PermissionExplanation["rule"]>): string =>
  `${rule} (${[sourceText(source), place ?? []].flat().join(", ")}${line === undefined ? "" : `:${line}`})`;

const sourceText = (source: string): string =>
  source === "cliArg" ? "flag" : source.replace(/Settings$/, " settings");

function wayOf(path: string, leadsTo: readonly string[]): string {
  if (leadsTo.length === 0) return " (it cannot be told where that leads)";
  return leadsTo.includes(path) ? "" : ` → ${leadsTo.join(" or ")}`;
}
