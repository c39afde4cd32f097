import { fileURLToPath } from "node:url";
import { isRecord } from "../../../messages/api-shape.ts";

/** A place that a server names. `line` and `character` from 0; `path` is absent for what is no file. */
export type Place = { uri: string; path?: string; line: number; character: number; label?: string };

/** Of one caller so many calls are shown. */
const MAX_CALLS = 20;

/** The places in an answer: locations, links, symbols and calls alike; what has no form that we know is passed over. */
export function placesIn(answer: unknown): Place[] {
  const all = Array.isArray(answer) ? answer : [answer];
  return all.flatMap((each: unknown) => (isRecord(each) ? (placeOf(each) ?? []) : []));
}

function placeOf(entry: Record<string, unknown>): Place | undefined {
  const { from, fromRanges, to, location, targetUri, targetSelectionRange, uri, range, selectionRange } = entry;
  if (isRecord(from)) return withCalls(placeOf(from), fromRanges);
  if (isRecord(to)) return placeOf(to);
  if (isRecord(location)) return withLabel(placeAt(location["uri"], location["range"] ?? {}), entry);
  if (typeof targetUri === "string") return placeAt(targetUri, targetSelectionRange);
  return withLabel(placeAt(uri, selectionRange ?? range), entry);
}

function placeAt(uri: unknown, range: unknown): Place | undefined {
  const start = isRecord(range) && isRecord(range["start"]) ? range["start"] : {};
  if (typeof uri !== "string") return undefined;
  const path = pathOf(uri);
  return {
    uri,
    ...(path === undefined ? {} : { path }),
    line: count(start["line"]),
    character: count(start["character"]),
  };
}

function withLabel(
  place: Place | undefined,
  { name, kind, containerName }: Record<string, unknown>,
): Place | undefined {
  if (place === undefined || typeof name !== "string") return place;
  const inside = typeof containerName === "string" && containerName !== "" ? ` in ${containerName}` : "";
  return { ...place, label: `${symbolKind(kind)} ${name}${inside}` };
}

/** Where in a caller the calls are: `line:character` from 1, as places are shown. */
function withCalls(place: Place | undefined, ranges: unknown): Place | undefined {
  if (place?.label === undefined || !Array.isArray(ranges) || ranges.length === 0) return place;
  const calls = ranges.slice(0, MAX_CALLS).map((range) => placeAt(place.uri, range) ?? place);
  const shown = calls.map(({ line, character }) => `${line + 1}:${character + 1}`).join(", ");
  return { ...place, label: `${place.label}, calls at ${shown}${ranges.length > MAX_CALLS ? ", …" : ""}` };
}

/** Where a `file:` address leads; undefined for others, and those that lead nowhere. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Numbers of a server are not trusted to be any. */
export const count = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;

const kinds =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null member struct event operator type-parameter".split(
    " ",
  );

export const symbolKind = (kind: unknown): string => kinds[count(kind) - 1] ?? "symbol";
