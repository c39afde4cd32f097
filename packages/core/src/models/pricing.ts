import type { Usage } from "../messages/message.ts";
import { modelInfo } from "./catalog.ts";
import type { ModelFacts } from "./catalog-data.ts";

/** Prices of cached tokens, relative to the input price. */
const CACHE_WRITE_5M = 1.25;
const CACHE_WRITE_1H = 2;
const CACHE_READ = 0.1;

/** One search by the provider's server tool, beside the tokens of what it finds. */
export const WEB_SEARCH_USD = 0.01;

const TOKENS_PER_PRICE = 1_000_000;

/**
 * What the tokens cost in dollars, or null when the model's price is not known. Thinking is part of `usage.output`.
 *
 * @param overrides the user's settings for this model.
 * @see https://docs.anthropic.com/en/docs/about-claude/pricing
 */
export function costUsd(modelId: string, usage: Usage, overrides?: Partial<ModelFacts>): number | null {
  const { inputUsdPerMillion, outputUsdPerMillion } = modelInfo(modelId, overrides);
  if (inputUsdPerMillion === null || outputUsdPerMillion === null) return null;
  const inputTokens =
    usage.input +
    usage.cacheRead * CACHE_READ +
    usage.cacheWrite5m * CACHE_WRITE_5M +
    usage.cacheWrite1h * CACHE_WRITE_1H;
  return (inputTokens * inputUsdPerMillion + usage.output * outputUsdPerMillion) / TOKENS_PER_PRICE;
}
