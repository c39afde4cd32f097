import type { IncomingHttpHeaders } from "node:http";
import type { RateLimit } from "../model.ts";

/**
 * What the headers beside an answer say of the provider's limits, unless all is well. A subscription has one status for
 * all its windows (`unified`); a key has a count for each kind of use, and is at its limit when one has nothing left.
 *
 * @see https://docs.anthropic.com/en/api/rate-limits
 */
export function rateLimitOf(headers: IncomingHttpHeaders): RateLimit | undefined {
  const status = statusOf(headers);
  if (status === "allowed") return undefined;
  const window = windowOf(headers);
  const resetsAt = resetTime(headers);
  const utilization = utilizationOf(headers, window);
  const overage = overageOf(headers);
  return {
    status,
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(window === undefined ? {} : { window }),
    ...(utilization === undefined ? {} : { utilization }),
    ...(overage === undefined ? {} : { overage }),
  };
}

/** Which of a subscription's windows counts. */
export const windowOf = (headers: IncomingHttpHeaders): string | undefined =>
  textOf(headers, "unified-representative-claim");

/**
 * When the limit that was hit is open again, in milliseconds since the epoch: a subscription says so, of a key's limits the
 * last of those with nothing left, else the first that is named.
 */
export function resetTime(headers: IncomingHttpHeaders): number | undefined {
  const unified = timeOf(textOf(headers, "unified-reset"));
  if (unified !== undefined) return unified;
  const spent: number[] = [];
  const others: number[] = [];
  for (const name of Object.keys(headers)) {
    const limit = /^anthropic-ratelimit-(.*)-reset$/.exec(name)?.[1];
    const at = limit === undefined ? undefined : timeOf(textOf(headers, `${limit}-reset`));
    if (at !== undefined) (textOf(headers, `${limit}-remaining`) === "0" ? spent : others).push(at);
  }
  if (spent.length > 0) return Math.max(...spent);
  return others.length > 0 ? Math.min(...others) : undefined;
}

function statusOf(headers: IncomingHttpHeaders): RateLimit["status"] {
  const unified = textOf(headers, "unified-status");
  if (unified !== undefined) return unified === "allowed" || unified === "rejected" ? unified : "allowed_warning";
  const isSpent = Object.keys(headers).some(
    (name) => /^anthropic-ratelimit-.*-remaining$/.test(name) && headers[name] === "0",
  );
  return isSpent ? "allowed_warning" : "allowed";
}

/** What a window is called in the names of its headers. */
const shortNames: Readonly<Record<string, string>> = { five_hour: "5h", seven_day: "7d" };

function utilizationOf(headers: IncomingHttpHeaders, window = ""): number | undefined {
  const used = textOf(headers, `unified-${shortNames[window] ?? window}-utilization`);
  return used === undefined || Number.isNaN(Number(used)) ? undefined : Number(used);
}

function overageOf(headers: IncomingHttpHeaders): RateLimit["overage"] {
  const status = textOf(headers, "unified-overage-status");
  if (status === undefined) return undefined;
  const resetsAt = timeOf(textOf(headers, "unified-overage-reset"));
  return { status, ...(resetsAt === undefined ? {} : { resetsAt }) };
}

/** The last time that a date can hold. Milliseconds since the epoch. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** A date, or seconds since the epoch. */
function timeOf(value: string | undefined): number | undefined {
  const at = /^\d+$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "");
  return Number.isNaN(at) || at > MAX_TIME_MS ? undefined : at;
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[`anthropic-ratelimit-${name}`];
  return typeof value === "string" && value !== "" ? value : undefined;
}
