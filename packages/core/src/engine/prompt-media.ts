import { PawlError } from "../lib/error.ts";
import type { ApiBlock } from "../messages/api-message.ts";
import { fitMedia } from "../messages/media/fit-media.ts";
import { readImage } from "../messages/media/image.ts";
import { base64Of } from "../messages/media/media-fault.ts";
import type { ContentBlock, UserMessage } from "../messages/message.ts";
import { toApiBlock } from "../messages/normalize.ts";
import { violations } from "../messages/violations.ts";

/** Blocks as they are judged before anything is sent: pictures, which are scaled on entry, may have any size. */
export function withoutPictures(blocks: readonly ApiBlock[]): ApiBlock[] {
  return blocks.map((block) => (isPicture(block) ? { type: "text", text: "[picture]" } : block));
}

/** @throws PawlError `bad_prompt` for content that the API would not take. */
export function refuseViolations(content: string | ApiBlock[]): void {
  const [first] = violations([{ role: "user", content }]);
  if (first) throw new PawlError("bad_prompt", `The prompt cannot be sent: ${first.message} (at ${first.at})`);
}

function isPicture(block: ApiBlock): boolean {
  const data = block.type === "image" ? base64Of(block) : undefined;
  return data !== undefined && readImage(data) !== undefined;
}

/**
 * A prompt's content with its pictures as any later request takes them; undefined when the signal has aborted.
 *
 * @throws PawlError `bad_prompt` for a picture that cannot be used: a person attached it, and can attach another.
 */
export async function fitPrompt(
  content: readonly ContentBlock[],
  signal: AbortSignal,
): Promise<ContentBlock[] | undefined> {
  const fitted = await unlessAborted(() => fitMedia(content, { signal }), signal);
  const [fault] = fitted?.faults ?? [];
  if (fault !== undefined) throw new PawlError("bad_prompt", `The prompt cannot be sent: ${fault}`);
  if (fitted !== undefined) refuseViolations(fitted.content.map(toApiBlock));
  return fitted?.content;
}

/** The same for lines that are taken already: in the place of a picture that cannot be used stands a text that says why. */
export async function fitQueued(lines: readonly UserMessage[], signal: AbortSignal): Promise<UserMessage[]> {
  const fitted: UserMessage[] = [];
  for (const line of lines) {
    // After an abort the lines are kept as they are: what the user wrote must not be lost.
    const media = await unlessAborted(() => fitMedia(line.content, { signal }), signal);
    const isAsBefore = media?.content.every((block, index) => block === line.content[index]) ?? true;
    fitted.push(media === undefined || isAsBefore ? line : { ...line, content: media.content });
  }
  return fitted;
}

async function unlessAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
