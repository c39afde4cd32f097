import { endingOnAbort } from "../models/liveness.ts";
import type { Model } from "../models/model.ts";
import type { QueryConfig } from "../query/config.ts";
import type { Tool } from "../tools/tool.ts";
import { offeredSchemas, offerOf, takesReferences } from "./deferral.ts";
import type { Session } from "./session.ts";

/** What holds for one turn: taken once its input has had its effect. */
export function turnSnapshot(session: Session, consumedCommands: readonly string[]): QueryConfig {
  const { config } = session;
  const offer = offerOf(session);
  return Object.freeze({
    tools: toolsByName([...offer.tools, ...offer.deferred]),
    ...offeredSchemas(offer),
    system: config.systemPrompt(offer.tools),
    models: turnModels(session).map((model) => ({
      id: model.id,
      limits: model.limits,
      takesToolReferences: takesReferences(model, config.toolSearch),
    })),
    ...(config.retryBaseMs === undefined ? {} : { retryBaseMs: config.retryBaseMs }),
    ...(config.maxRetries === undefined ? {} : { maxRetries: config.maxRetries }),
    ...(config.streamCutRecovery === undefined ? {} : { streamCutRecovery: config.streamCutRecovery }),
    ...(config.unattendedUntil === undefined ? {} : { unattendedUntil: config.unattendedUntil }),
    ...(session.thinking ? { thinking: session.thinking } : {}),
    ...(config.maxTurns === undefined ? {} : { maxTurns: config.maxTurns }),
    ...(config.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: config.maxBudgetUsd }),
    ...(config.taskBudget === undefined ? {} : { taskBudget: config.taskBudget }),
    ...(config.maxToolCalls === undefined ? {} : { maxToolCalls: config.maxToolCalls }),
    ...(config.structuredOutput === undefined ? {} : { structuredOutput: config.structuredOutput }),
    includeRaw: config.includePartialMessages === true,
    durable: config.durable === true,
    source: config.source,
    consumedCommands,
  });
}

/** Also by the names that tools had before, where no other tool has such a name. */
function toolsByName(tools: readonly Tool[]): Map<string, Tool> {
  const byAlias = tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => [alias, tool] as const));
  return new Map([...byAlias, ...tools.map((tool) => [tool.name, tool] as const)]);
}

/** The session's model, which may have been changed to one of the fallbacks, and those to fall back to. */
export function turnModels({ model, config }: Session): Model[] {
  return [model, ...(config.fallbackModels ?? []).filter(({ id }) => id !== model.id)].map(endingOnAbort);
}
