import type { Model } from "../models/model.ts";
import type { DeferredSchema } from "../query/config.ts";
import { deferredList, TOOL_SEARCH } from "../tools/builtin/tool-search.ts";
import type { DeferredTools, Tool } from "../tools/tool.ts";
import { type Session, setPart } from "./session.ts";
import type { ToolSearchMode } from "./tool-search-mode.ts";

/** The state part with the names of the tools that were found. */
const LOADED_PART = "loadedTools";

const CHARS_PER_TOKEN = 4;

/** What the model is offered at once, and what it must search for. */
type Offer = { tools: readonly Tool[]; deferred: readonly Tool[] };

/** Without anything to search for, the search itself is left out; without the search, nothing is deferred. */
export function offerOf(session: Pick<Session, "config" | "leftOutTools" | "model">): Offer {
  const { config, leftOutTools, model } = session;
  const all = config.tools.filter(({ name }) => !leftOutTools.has(name));
  const wanted = deferredOf(all, config.toolSearch ?? { type: "where_taken" }, model);
  const deferred = new Set(all.some(({ name }) => name === TOOL_SEARCH) ? wanted : []);
  const tools = all.filter((tool) => !deferred.has(tool) && (deferred.size > 0 || tool.name !== TOOL_SEARCH));
  return { tools, deferred: [...deferred] };
}

function deferredOf(tools: readonly Tool[], mode: ToolSearchMode, model: Model): readonly Tool[] {
  const defersMcp = mode.type !== "where_taken" || model.toolReferences === "taken";
  const wanted = tools.filter(({ deferred, origin }) => deferred ?? (origin === "mcp" && defersMcp));
  switch (mode.type) {
    case "never":
      return [];
    case "above": {
      const chars = wanted.reduce((total, tool) => total + JSON.stringify(schemaOf(tool)).length, 0);
      return chars / CHARS_PER_TOKEN > (model.limits.contextTokens * mode.percent) / 100 ? wanted : [];
    }
    default:
      return wanted;
  }
}

const schemaOf = ({ name, description, inputSchema }: Tool) => ({ name, description, inputSchema });

/** The schemas of an offer: the search names what it can find. */
export function offeredSchemas({ tools, deferred }: Offer) {
  const toolSchemas = tools.map((tool) =>
    tool.name === TOOL_SEARCH
      ? { ...schemaOf(tool), description: `${tool.description}\n\n${deferredList(deferred)}` }
      : schemaOf(tool),
  );
  const schemas = deferred.map((tool): [string, DeferredSchema] => {
    const open = schemaOf(tool);
    return [tool.name, { open, deferred: { ...open, deferLoading: true } }];
  });
  return { toolSchemas, ...(schemas.length === 0 ? {} : { deferredTools: new Map(schemas) }) };
}

/** Whether deferred tools go along with a model's requests. An address that may not take them is trusted when told to. */
export const takesReferences = ({ toolReferences }: Model, mode: ToolSearchMode | undefined): boolean =>
  toolReferences === "taken" || (toolReferences === "unproven" && mode !== undefined && mode.type !== "where_taken");

/** Names of the tools that were found, in that order. */
export function loadedTools({ config }: Pick<Session, "config">): readonly string[] {
  const stored = config.appState.get().parts[LOADED_PART];
  return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
}

/** What the search of this session finds. */
export function deferredTools(session: Session, deferred: DeferredTools["tools"]): DeferredTools {
  return {
    tools: deferred,
    async load(names) {
      const before = loadedTools(session);
      const added = names.filter((name) => !before.includes(name));
      if (added.length > 0) await setPart(session, LOADED_PART, [...before, ...added]);
    },
  };
}
