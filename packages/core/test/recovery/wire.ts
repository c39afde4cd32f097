import { type ApiBlock, type ApiMessage, violations } from "@pawl/core";
import { expect } from "vitest";
import type { Received } from "../support/loopback-server.ts";

/** A request as it came over the wire. */
export type Body = {
  model: string;
  max_tokens: number;
  stream?: boolean;
  tools?: unknown[];
  system?: ApiBlock[];
  messages: { role: "user" | "assistant"; content: ApiBlock[] }[];
};

export const bodyOf = ({ body }: Pick<Received, "body">): Body => JSON.parse(body) as Body;

/** What the provider caches by: tools, then system, then messages, element by element, without the cache's marks. */
export function canonical({ tools = [], system = [], messages }: Body): string[] {
  const blocks = messages.flatMap(({ role, content }) => content.map((block) => [role, unmarked(block)]));
  return [...tools.map(unmarked), ...system.map(unmarked), ...blocks].map((element) => JSON.stringify(element));
}

function unmarked(element: unknown): unknown {
  if (typeof element !== "object" || element === null) return element;
  const { cache_control: _mark, ...rest } = element as Record<string, unknown>;
  return rest;
}

/** The text of an answer that a server of ours pauses: it is sent back as it is. */
export const PAUSED = "Wait.";

/** Every request keeps the API's rules, and each continues the one before it. */
export function expectContinued(received: readonly Pick<Received, "body">[], what = ""): void {
  const bodies = received.map(bodyOf);
  for (const [index, body] of bodies.entries()) {
    expect(violations(body.messages.map(plainMessage), { as: "request" }), `${what} request ${index}`).toEqual([]);
    const before = bodies[index - 1];
    if (before === undefined) continue;
    const prefix = canonical(before);
    expect(canonical(body).slice(0, prefix.length), `${what} request ${index}`).toEqual(prefix);
  }
}

function plainMessage({ role, content }: Body["messages"][number]): ApiMessage {
  const last = content.at(-1);
  const isPaused = role === "assistant" && last?.type === "text" && last["text"] === PAUSED;
  const blocks = content.map((block) => unmarked(block) as ApiBlock);
  return { role, content: blocks, ...(isPaused ? { stop_reason: "pause_turn" } : {}) };
}
