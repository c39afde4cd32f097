import type { ContentBlock, ToolUseId, UserMessage } from "../messages/message.ts";
import { userLine } from "./input.ts";
import type { Session } from "./session.ts";
import { toolContext } from "./tool-context.ts";

/** Files that one prompt may bring along. */
const MAX_MENTIONS = 20;

/** `@path` or `@"path with blanks"`, at the start or after a blank. */
const MENTION = /(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/**
 * The files that a prompt mentions as `@path`, as the Read tool gives them: each a line of its own after the prompt. What the
 * rules do not let the model read without asking, and what cannot be read, stays a mention.
 */
export async function mentionedFiles(session: Session, text: string, signal: AbortSignal): Promise<UserMessage[]> {
  const lines: UserMessage[] = [];
  for (const path of pathsIn(text)) {
    const content = await readIfAllowed(session, path, signal);
    if (content !== undefined) {
      lines.push(userLine(session.config.clock.uuid(), mentioned(path, content), true));
    }
  }
  return lines;
}

function pathsIn(text: string): string[] {
  const found = [...text.matchAll(MENTION)].map(([, quoted, plain]) => quoted ?? withoutPunctuation(plain ?? ""));
  return [...new Set(found.filter((path) => path !== ""))].slice(0, MAX_MENTIONS);
}

function mentioned(path: string, content: string | ContentBlock[]): ContentBlock[] {
  const heading = `The file ${path}, which the user mentioned:`;
  if (typeof content === "string") return [{ type: "text", text: `${heading}\n${content}` }];
  return [{ type: "text", text: heading }, ...content];
}

const withoutPunctuation = (path: string) => path.replace(/[.,;:!?)\]}'>]+$/, "");

async function readIfAllowed(
  session: Session,
  path: string,
  signal: AbortSignal,
): Promise<string | ContentBlock[] | undefined> {
  const { config } = session;
  const tool = config.tools.find(({ name }) => name === "Read");
  const input = { file_path: path };
  const parsed = tool?.parse(input);
  if (tool === undefined || !parsed?.ok) return undefined;
  const toolUseId = config.clock.uuid() as string as ToolUseId;
  const files = config.files.pinned();
  const call = { tool, toolUseId, input, touches: tool.touches(parsed.input), isReadOnly: true, files };
  if ((await config.decide(call, config.appState.get())).behavior !== "allow") return undefined;
  const result = await tool.run(parsed.input, toolContext(session, toolUseId, signal, files));
  session.readMarks.settle([toolUseId]);
  return result.isError ? undefined : result.content;
}
