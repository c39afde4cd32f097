import type { ConnectionOptions, connectTo } from "../../lib/http.ts";
import type { ModelId } from "../../messages/message.ts";
import type { ModelInfo } from "../catalog.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Credentials } from "./headers.ts";
import type { CacheLifetime } from "./request.ts";

export type AnthropicOptions = Credentials &
  ConnectionOptions & {
    /** May end in `[1m]`; what the provider calls the model is in `info`. */
    id: ModelId;
    info: ModelInfo;
    /** Default: `ANTHROPIC_BASE_URL` of `env`, else the provider's own address. */
    baseUrl?: string;
    /** Sent with every request, over our own. */
    headers?: Readonly<Record<string, string>>;
    betas?: readonly string[];
    cacheLifetime?: CacheLifetime;
    deadlines?: Partial<Deadlines>;
    /** Milliseconds since the epoch. */
    now?: () => number;
    /** Gives the connections to an address, shared with other models; else the model has its own. */
    connect?: typeof connectTo;
    /** What holds the credential, as the user knows it; default the variable of its kind. */
    credentialSetting?: string;
  };
