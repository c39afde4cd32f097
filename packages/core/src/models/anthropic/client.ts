import { onAbort } from "../../lib/abort.ts";
import { messageOf } from "../../lib/error.ts";
import { type Connections, connectTo } from "../../lib/http.ts";
import type { Provenance } from "../../messages/message.ts";
import type { ModelFailure } from "../failure.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { type Address, addressOf, baseUrlOf, DEFAULT_BASE_URL } from "./address.ts";
import { allAtTheEnd, DEADLINES, type Deadlines } from "./deadlines.ts";
import { Exchange } from "./exchange.ts";
import { redact } from "./failure.ts";
import { credentialHeaders, fixedHeaders, secretsIn } from "./headers.ts";
import type { AnthropicOptions } from "./options.ts";
import { isOnePiece, readOnePiece } from "./read-one-piece.ts";
import { isStream, readAnswer, readRefusal } from "./read-response.ts";
import { RequestWriter } from "./request.ts";

export const PROVIDER = "anthropic";

/** One call of the model. `isWhole`: the answer is complete, its connection worth keeping. */
export type Call = { signal: AbortSignal; isWhole: boolean };

/** The provider takes no longer body. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const BETA_HEADER = "anthropic-beta";
const LONG_CONTEXT_BETA = "context-1m-2025-08-07";

/** What one model keeps between its requests: address, headers, connections, written messages, refused betas. */
export class Client {
  readonly #options: AnthropicOptions;
  readonly #address: Address;
  readonly #headers: Record<string, string>;
  readonly #writer: RequestWriter;
  readonly #provenance: Provenance;
  readonly #deadlines: Deadlines;
  readonly #betas: Set<string>;
  #connections: Promise<Connections> | undefined;

  constructor(options: AnthropicOptions) {
    const { info } = options;
    const { [BETA_HEADER]: ownBetas = "", ...headers } = fixedHeaders(options.headers ?? {});
    this.#options = options;
    this.#headers = headers;
    this.#address = addressOf(options.baseUrl ?? options.env?.["ANTHROPIC_BASE_URL"], options.env ?? {}, {
      hasCredential: Boolean(options.apiKey || options.authToken || secretsIn(headers).length > 0),
    });
    this.#provenance = { provider: PROVIDER, model: info.id };
    this.#writer = new RequestWriter(info, this.#provenance, options.cacheLifetime ?? "5m");
    this.#deadlines = { ...DEADLINES, ...options.deadlines };
    const betas = [info.hasLongContext ? LONG_CONTEXT_BETA : "", ...(options.betas ?? []), ...ownBetas.split(",")];
    this.#betas = new Set(betas.map((beta) => beta.trim()).filter((beta) => beta !== ""));
  }

  /** Whether requests go to the provider's own address. */
  get isProvidersOwn(): boolean {
    return this.#address.origin.origin === DEFAULT_BASE_URL;
  }

  async *answer(request: ModelRequest, call: Call): AsyncGenerator<ModelEvent, void> {
    if (call.signal.aborted) return yield nothingCame({ type: "aborted" });
    const body = this.#writer.body(request);
    const bytes = sizeOf(body);
    if (bytes > MAX_BODY_BYTES) return yield nothingCame(tooLarge(bytes));
    for (;;) {
      const refusal = yield* this.#attempt(body, request, call);
      if (refusal === undefined) return;
      if (!this.#dropRefusedBeta(refusal)) return yield nothingCame(refusal);
    }
  }

  /** One request. Returns what went wrong before an answer began; all else is among the events. */
  async *#attempt(
    body: readonly Buffer[],
    { includeRaw = false, inOnePiece = false }: ModelRequest,
    call: Call,
  ): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
    const credentials = await untilAbort(this.#credentials(call.signal), call.signal);
    if (credentials === undefined) return { type: "aborted" };
    if (credentials.type === "failed") return credentials.failure;
    const own = { ...credentials.headers, ...this.#headers };
    const secrets = secretsIn(own);
    const headers = {
      ...own,
      ...(this.#betas.size === 0 ? {} : { [BETA_HEADER]: [...this.#betas].join(",") }),
      "content-length": sizeOf(body),
    };
    this.#connections ??= (this.#options.connect ?? connectTo)(this.#address.origin, this.#options);
    const connections = await this.#connections;
    if (call.signal.aborted) return { type: "aborted" };
    const deadlines = inOnePiece ? allAtTheEnd(this.#deadlines) : this.#deadlines;
    const exchange = new Exchange(connections, this.#address.origin.host, deadlines, call.signal);
    const now = this.#options.now ?? Date.now;
    try {
      const head = await exchange.send({ method: "POST", path: this.#address.path, headers }, body);
      if (head.type === "broken") return redact(head.failure, secrets);
      const options = { provenance: this.#provenance, includeRaw, secrets, now, call };
      if (isStream(head.response)) {
        yield* readAnswer(exchange, head.response, options);
        return undefined;
      }
      const refusal = isOnePiece(head.response)
        ? yield* readOnePiece(exchange, head.response, options)
        : await readRefusal(exchange, head.response, now);
      if (refusal === undefined) return undefined;
      return call.signal.aborted ? { type: "aborted" } : redact(this.#named(refusal), secrets);
    } finally {
      exchange.release(call.isWhole);
    }
  }

  async #credentials(
    signal: AbortSignal,
  ): Promise<{ type: "ready"; headers: Record<string, string> } | { type: "failed"; failure: ModelFailure }> {
    try {
      return { type: "ready", headers: await credentialHeaders(this.#options, signal) };
    } catch (error) {
      const message = `no credential: ${messageOf(error)}`;
      return { type: "failed", failure: { type: "auth", status: 401, setting: this.#credentialSetting, message } };
    }
  }

  /** With what of the settings may be wrong: the one that holds the refused credential, and the address. */
  #named(failure: ModelFailure): ModelFailure {
    if (failure.type !== "auth" && failure.type !== "not_found") return failure;
    const named = this.isProvidersOwn ? failure : { ...failure, baseUrl: baseUrlOf(this.#address) };
    return named.type === "auth" ? { ...named, setting: this.#credentialSetting } : named;
  }

  get #credentialSetting(): string {
    const { credentialSetting, apiKey } = this.#options;
    return credentialSetting ?? (apiKey ? "ANTHROPIC_API_KEY" : "ANTHROPIC_AUTH_TOKEN");
  }

  /** A beta that a 400 names is left out from now on. Whether there was one. */
  #dropRefusedBeta(refusal: ModelFailure): boolean {
    if (refusal.type !== "invalid_request") return false;
    const named = [...this.#betas].filter((beta) => refusal.message.includes(beta));
    for (const beta of named) this.#betas.delete(beta);
    return named.length > 0;
  }
}

/** `promise`, or undefined as soon as `signal` aborts. */
function untilAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => resolve(undefined));
    promise.then(resolve, reject).finally(release);
  });
}

const sizeOf = (body: readonly Buffer[]): number => body.reduce((bytes, piece) => bytes + piece.length, 0);

function tooLarge(bytes: number): ModelFailure {
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  return { type: "prompt_too_long", message: `the request has ${megabytes} MB; the provider takes 32 MB` };
}

const nothingCame = (failure: ModelFailure): ModelEvent => ({ type: "failure", failure, partial: [] });
