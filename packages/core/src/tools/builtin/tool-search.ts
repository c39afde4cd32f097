import { toolReference } from "../../messages/tool-reference.ts";
import { defineTool } from "../define-tool.ts";
import type { DeferredTools, ToolContext, ToolResult } from "../tool.ts";
import { bestMatches, selectedNames } from "./tool-search-match.ts";

export const TOOL_SEARCH = "ToolSearch";

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 50;
/** What the names of all deferred tools may take of the description. Characters. */
const MAX_LIST_CHARS = 8_000;

export const toolSearchTool = defineTool({
  name: TOOL_SEARCH,
  description: `Finds tools that you know only by name so far, and loads them: from your next answer on you can call what it finds.

- Words search names and descriptions: "slack message". With "+" in front a word must be there: "+slack send".
- "select:A,B" takes the tools A and B.
- Search once for all that a task needs, and before you say that you cannot do something.`,
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: 'Words, or "select:" with names.' },
      max_results: {
        type: "integer",
        minimum: 1,
        maximum: MAX_RESULTS,
        default: DEFAULT_RESULTS,
        description: "Of words, at most so many tools.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  maxResultChars: 20_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  touches: () => [],
  async run({ query, max_results = DEFAULT_RESULTS }, { deferredTools }: ToolContext): Promise<ToolResult> {
    const { tools = [], load } = deferredTools ?? {};
    const selected = selectedNames(query);
    const matches = selected === undefined ? bestMatches(query, tools, max_results) : named(selected, tools);
    await load?.(matches);
    const structured = { matches, query, total_deferred_tools: tools.length };
    if (matches.length === 0) return { content: nothingFound(selected, tools), structured };
    return { content: matches.map(toolReference), structured };
  },
});

type Findable = DeferredTools["tools"];

const isIn = (name: string, names: readonly string[]) =>
  names.some((each) => each.toLowerCase() === name.toLowerCase());

/** As far as they are there, in the order asked for. */
function named(names: readonly string[], tools: Findable): string[] {
  const found = names.flatMap((name) => tools.find((tool) => isIn(name, [tool.name]))?.name ?? []);
  return [...new Set(found)].slice(0, MAX_RESULTS);
}

function nothingFound(selected: readonly string[] | undefined, tools: Findable): string {
  const none = "No matching deferred tools found";
  if (tools.length === 0) return `${none}: you know all tools already.`;
  if (selected === undefined) return `${none}. Try other words, or fewer.`;
  return `${none}. What you can call already is not among them; for the rest search with words.`;
}

/** For the description of the search: what there is to find. */
export function deferredList(tools: readonly { name: string }[]): string {
  const names = tools.map(({ name }) => name);
  let shown = names;
  for (let chars = 0, count = 0; count < names.length; count++) {
    chars += (names[count]?.length ?? 0) + 1;
    if (chars <= MAX_LIST_CHARS) continue;
    shown = names.slice(0, count);
    break;
  }
  const rest = names.length - shown.length;
  return ["Tools to find:", ...shown, ...(rest > 0 ? [`… and ${rest} more, which words find.`] : [])].join("\n");
}
