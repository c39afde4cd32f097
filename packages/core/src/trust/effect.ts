import { isObject } from "../settings/check-value.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { FolderItem } from "./folder-item.ts";
import { oneLine } from "./one-line.ts";

/** What an item would run or grant, for people. */
export function effectOf(item: FolderItem): string {
  return oneLine(effectText(item));
}

function effectText({ source, key, value }: FolderItem): string {
  switch (source) {
    case "gitConfig":
      return `may make git start something when it looks at the repository: ${textOf(value).trim()}`;
    case "script":
      return "is a file that the others name: its content counts";
    case "mcpJson":
      return serverEffect(value);
    case "projectSettings":
    case "localSettings":
      return settingEffect(key, value);
  }
}

function settingEffect(key: string, value: unknown): string {
  if (key.startsWith("env.")) return variableEffect(key.slice("env.".length), value);
  switch (key) {
    case "permissions.allow":
      return `lets tools run without asking: ${textOf(value)}`;
    case "permissions.additionalDirectories":
      return `lets tools use files in: ${textOf(value)}`;
    case "permissions.defaultMode":
      return `starts in permission mode ${textOf(value)}`;
    case "model":
    case "fallbackModel":
      return `asks another model, at your cost: ${textOf(value)}`;
    default:
      return started(value).length > 0 ? `would run: ${started(value).join("; ")}` : `sets ${key} to ${textOf(value)}`;
  }
}

function variableEffect(name: string, value: unknown): string {
  if (/_BASE_URL$/.test(name)) return `sends requests to the model, and your key, to ${textOf(value)}`;
  return `sets the variable ${name} to ${textOf(value)} for the session and all it starts`;
}

function serverEffect(value: unknown): string {
  if (!isObject(value)) return `names a server: ${textOf(value)}`;
  const { command, args, url } = value;
  if (typeof command === "string") return `would run: ${[command, ...strings(args)].join(" ")}`;
  return typeof url === "string" ? `would connect to ${url}` : `names a server: ${textOf(value)}`;
}

/** Commands and addresses in a value, wherever they stand. */
function started(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(started);
  if (!isObject(value)) return [];
  const own = [value["command"], value["url"]].filter((each) => typeof each === "string");
  return [...own, ...Object.values(value).flatMap(started)];
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

function textOf(value: unknown): string {
  if (typeof value === "string") return value === "" ? '""' : value;
  const texts = strings(value);
  return Array.isArray(value) && texts.length === value.length && texts.length > 0
    ? texts.join(", ")
    : canonicalJson(value);
}
