import { PawlError } from "../lib/error.ts";
import type { ModelId } from "../messages/message.ts";
import { type CatalogRow, catalog, type ModelFacts, unknownModel } from "./catalog-data.ts";

export type ModelInfo = ModelFacts & {
  /** As the provider knows it: without the `[1m]` ending. */
  id: ModelId;
  /** Whether the catalogue has it; if not, the window is assumed and the price unknown. */
  isKnown: boolean;
  /** Whether the larger window was asked for with `[1m]`. */
  hasLongContext: boolean;
};

const LONG_CONTEXT_ENDING = "[1m]";
const LONG_CONTEXT_TOKENS = 1_000_000;
const RELEASE_DATE = /-\d{8}$/;

/** What is known of a model. Any id is usable. `overrides` are the user's settings for it. Never throws. */
export function modelInfo(id: string, overrides: Partial<ModelFacts> = {}): ModelInfo {
  const { base, hasLongContext } = splitEnding(id);
  const row = rowOf(base);
  return {
    ...factsOf(row),
    ...(hasLongContext ? { contextTokens: LONG_CONTEXT_TOKENS } : {}),
    ...overrides,
    id: base as ModelId,
    isKnown: row !== undefined,
    hasLongContext,
  };
}

/**
 * The model id that a name stands for. A word without a digit, `-`, `/` or `:` is an alias and must be known; anything
 * else is an id, used as given. Either may end in `[1m]`, which is kept.
 *
 * @throws PawlError `unknown_model` that names the known aliases.
 */
export function resolveAlias(name: string): ModelId {
  const { base, hasLongContext } = splitEnding(name.trim());
  if (/[\d\-/:]/.test(base)) return name.trim() as ModelId;
  const row = catalog.find((each) => each.alias === base.toLowerCase());
  if (row === undefined) throw unknownAlias(name);
  return (row.id + (hasLongContext ? LONG_CONTEXT_ENDING : "")) as ModelId;
}

/** Short names for `--model`. */
export const modelAliases: readonly string[] = catalog.flatMap((row) => row.alias ?? []);

export const defaultModelId = idWhere((row) => row.isDefault === true);

/** For titles, summaries, fetched pages, prompt hooks and the permission classifier. */
export const smallModelId = idWhere((row) => row.isSmall === true);

function splitEnding(id: string): { base: string; hasLongContext: boolean } {
  const hasLongContext = id.toLowerCase().endsWith(LONG_CONTEXT_ENDING);
  return { base: hasLongContext ? id.slice(0, -LONG_CONTEXT_ENDING.length) : id, hasLongContext };
}

function rowOf(id: string): CatalogRow | undefined {
  const undated = id.replace(RELEASE_DATE, "");
  return catalog.find((row) => (row.id.endsWith("*") ? id.startsWith(row.id.slice(0, -1)) : row.id === undated));
}

function factsOf(row: CatalogRow | undefined): ModelFacts {
  if (row === undefined) return unknownModel;
  const { id: _id, alias: _alias, isDefault: _isDefault, isSmall: _isSmall, ...facts } = row;
  return facts;
}

function idWhere(matches: (row: CatalogRow) => boolean): ModelId {
  const row = catalog.find(matches);
  if (row === undefined) throw new PawlError("internal", "the model catalogue lacks its default or small model");
  return row.id as ModelId;
}

function unknownAlias(name: string): PawlError {
  return new PawlError(
    "unknown_model",
    `unknown model "${name}"; known aliases: ${modelAliases.join(", ")}. Or give a whole model id, such as ${defaultModelId}`,
  );
}
