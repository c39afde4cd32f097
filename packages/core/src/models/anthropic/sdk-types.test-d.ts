/** Checked by the compiler only: what we send and read is what the vendor's client knows, so that a change there is seen. */

import type Anthropic from "@anthropic-ai/sdk";
import type { ApiUsage } from "../../messages/api-message.ts";
import type {
  DocumentBlock,
  ImageBlock,
  RedactedThinkingBlock,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from "../../messages/message.ts";
import type { Effort } from "../model.ts";
import type { kindOfErrorType } from "./failure.ts";
import type { RequestSettings } from "./request.ts";
import type { ThinkingParam } from "./thinking.ts";

type Fits<Ours extends Theirs, Theirs> = [Ours, Theirs];
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Holds<Claim extends true> = Claim;

type Params = Anthropic.MessageCreateParamsStreaming;
type OutputConfig = NonNullable<Params["output_config"]>;
type OurFormat = NonNullable<NonNullable<RequestSettings["output_config"]>["format"]>;
type ImageSource = ImageBlock["source"] & { media_type: Anthropic.Base64ImageSource["media_type"] };

export type Request = [
  Fits<RequestSettings["max_tokens"], Params["max_tokens"]>,
  Fits<RequestSettings["stream"], NonNullable<Anthropic.MessageCreateParams["stream"]>>,
  Fits<ThinkingParam, Anthropic.ThinkingConfigParam>,
  Holds<IsSame<Effort, NonNullable<OutputConfig["effort"]>>>,
  Holds<IsSame<OurFormat["type"], NonNullable<OutputConfig["format"]>["type"]>>,
  Fits<{ type: "ephemeral"; ttl: "1h" }, Anthropic.CacheControlEphemeral>,
  Fits<{ name: string; description: string; input_schema: { type: "object" } }, Anthropic.Tool>,
];

export type Blocks = [
  Fits<TextBlock, Anthropic.TextBlockParam>,
  Fits<Omit<ThinkingBlock, "provenance">, Anthropic.ThinkingBlockParam>,
  Fits<Omit<RedactedThinkingBlock, "provenance">, Anthropic.RedactedThinkingBlockParam>,
  Fits<Pick<ToolUseBlock, "type" | "id" | "name" | "input">, Anthropic.ToolUseBlockParam>,
  Fits<
    Pick<ToolResultBlock, "type" | "tool_use_id"> & { content: string; is_error: boolean },
    Anthropic.ToolResultBlockParam
  >,
  Fits<{ type: "image"; source: ImageSource }, Anthropic.ImageBlockParam>,
  Fits<DocumentBlock, Anthropic.DocumentBlockParam>,
];

type StreamEvent = Anthropic.RawMessageStreamEvent | { type: "ping" };

export type Answers = [
  Holds<IsSame<Exclude<StopReason, "unknown">, Anthropic.StopReason>>,
  Holds<IsSame<keyof typeof kindOfErrorType, Exclude<Anthropic.ErrorType, `memory_${string}`> | "request_too_large">>,
  Holds<
    IsSame<
      StreamEvent["type"],
      | "message_start"
      | "content_block_start"
      | "content_block_delta"
      | "content_block_stop"
      | "message_delta"
      | "message_stop"
      | "ping"
    >
  >,
  Holds<
    IsSame<
      Anthropic.Beta.BetaRawContentBlockDelta["type"],
      "text_delta" | "input_json_delta" | "thinking_delta" | "signature_delta" | "citations_delta" | "compaction_delta"
    >
  >,
  Fits<keyof ApiUsage, keyof Anthropic.Usage>,
];
