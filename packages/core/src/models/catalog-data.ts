/** What is known of each model. One table, as of 2026-11; `catalog.ts` reads it. */

/** How a model is asked to think: it decides itself, it is given a budget, or either. */
type ThinkingStyle = "adaptive" | "budget" | "both";

/** What a user may override, field by field. */
export type ModelFacts = {
  /** Tokens of input and output together. */
  contextTokens: number;
  maxOutputTokens: number;
  /** null: unknown. */
  inputUsdPerMillion: number | null;
  outputUsdPerMillion: number | null;
  thinking: ThinkingStyle;
  /** What the provider uses when no effort is asked for; null: not known. */
  defaultEffort: "low" | "medium" | "high" | "xhigh" | "max" | null;
  /** `thinking: disabled` is refused. */
  isThinkingAlwaysOn: boolean;
  /** `thinking: enabled` with a budget is refused. */
  refusesThinkingBudget: boolean;
  /** Tokens; a shorter prefix is not cached. */
  minCacheableTokens: number;
  /** Whether tools may be left to be searched for (`defer_loading`, `tool_reference`). */
  takesToolReferences: boolean;
  /** Whether a `system` message may stand among `messages`. */
  acceptsSystemInMessages: boolean;
};

/** An `id` that ends in `*` stands for a family whose members are not listed one by one. */
export type CatalogRow = ModelFacts & { id: string; alias?: string; isDefault?: true; isSmall?: true };

const K = 1_000;
const M = 1_000_000;

/** Assumed of a model that is not in the table. */
export const unknownModel: ModelFacts = {
  contextTokens: 200 * K,
  maxOutputTokens: 32 * K,
  inputUsdPerMillion: null,
  outputUsdPerMillion: null,
  thinking: "adaptive",
  defaultEffort: null,
  isThinkingAlwaysOn: false,
  refusesThinkingBudget: false,
  minCacheableTokens: 4_096,
  takesToolReferences: false,
  acceptsSystemInMessages: false,
};

const fifth: ModelFacts = {
  ...unknownModel,
  contextTokens: M,
  maxOutputTokens: 128 * K,
  refusesThinkingBudget: true,
};

// The provider gives 64K to 128K of output for these; the smaller is always accepted.
const fourth: ModelFacts = { ...unknownModel, maxOutputTokens: 64 * K };

const fable: ModelFacts = {
  ...fifth,
  takesToolReferences: true,
  isThinkingAlwaysOn: true,
  minCacheableTokens: 512,
  acceptsSystemInMessages: true,
};
const opus5: ModelFacts = {
  ...fifth,
  takesToolReferences: true,
  minCacheableTokens: 512,
  acceptsSystemInMessages: true,
};
const sonnet5: ModelFacts = { ...fifth, ...price(2, 10), takesToolReferences: true, minCacheableTokens: 1_024 };
const opus4: ModelFacts = { ...fourth, ...price(5, 25), takesToolReferences: true };
const sonnet4: ModelFacts = { ...fourth, ...price(3, 15), takesToolReferences: true, minCacheableTokens: 1_024 };

export const catalog: readonly CatalogRow[] = [
  { id: "claude-fable-5-1", alias: "fable", ...fable, ...price(10, 50) },
  { id: "claude-fable-5-2", ...fable },
  { id: "claude-mythos-5-*", ...fable, acceptsSystemInMessages: false },
  {
    id: "claude-opus-5-5",
    alias: "opus",
    ...opus5,
    ...price(4, 20),
    isThinkingAlwaysOn: true,
    defaultEffort: "medium",
  },
  { id: "claude-opus-5", ...opus5, ...price(5, 25) },
  { id: "claude-sonnet-5-5", alias: "sonnet", isDefault: true, ...sonnet5 },
  { id: "claude-sonnet-5", ...sonnet5 },
  // The provider's price is "from": longer prompts may cost more.
  { id: "claude-haiku-5-5", alias: "haiku", isSmall: true, ...fifth, ...price(0.1, 0.5) },
  { id: "claude-haiku-4-5", ...fourth, ...price(1, 5), thinking: "budget" },
  {
    id: "claude-opus-4-8",
    ...opus4,
    refusesThinkingBudget: true,
    minCacheableTokens: 1_024,
    acceptsSystemInMessages: true,
  },
  { id: "claude-opus-4-7", ...opus4, refusesThinkingBudget: true, minCacheableTokens: 2_048 },
  { id: "claude-opus-4-6", ...opus4, thinking: "both" },
  { id: "claude-opus-4-5", ...opus4, thinking: "budget" },
  { id: "claude-sonnet-4-6", ...sonnet4, thinking: "both" },
  { id: "claude-sonnet-4-5", ...sonnet4, thinking: "budget" },
];

function price(inputUsdPerMillion: number, outputUsdPerMillion: number) {
  return { inputUsdPerMillion, outputUsdPerMillion };
}
