import { createEngine, type EngineOptions, type QueryEngine, type SdkApiRetry, type SdkMessage } from "@pawl/core";
import { type Place, place, type Turn, turn } from "../scenarios/engine-harness.ts";

/** Short, so that a test waits for nothing; long enough that a busy machine does not hit them by itself. Milliseconds. */
export const SHORT = { connect: 1_000, headers: 250, stall: 250, answer: 5_000 };

/** What an engine needs to talk to a server of ours by the real adapter. */
export const serverEnv = (url: string, limits: Partial<typeof SHORT> = {}): Record<string, string> => {
  const { connect, headers, stall, answer } = { ...SHORT, ...limits };
  return {
    ANTHROPIC_API_KEY: "test-key-0123456789",
    ANTHROPIC_BASE_URL: url,
    PAWL_CONNECT_TIMEOUT_MS: String(connect),
    PAWL_HEADERS_TIMEOUT_MS: String(headers),
    PAWL_STALL_TIMEOUT_MS: String(stall),
    PAWL_ANSWER_TIMEOUT_MS: String(answer),
  };
};

export type LiveSession = AsyncDisposable & { engine: QueryEngine; options: EngineOptions; root: string };

/** An engine over the real adapter at `url`, in a folder of its own, or in `at`, which several may share. */
export async function liveSession(
  url: string,
  more: EngineOptions & {
    limits?: Partial<typeof SHORT>;
    files?: Record<string, string>;
    userSettings?: object;
    at?: Place & AsyncDisposable;
  } = {},
): Promise<LiveSession> {
  const { limits, files, userSettings, env, at: shared, ...rest } = more;
  const at = shared ?? (await place(files));
  if (userSettings !== undefined) await at.home.write("settings.json", JSON.stringify(userSettings));
  const options: EngineOptions = {
    model: "claude-sonnet-5-5",
    ...at.options,
    ...rest,
    env: { ...at.options.env, ...serverEnv(url, limits), ...env },
  };
  const engine = await createEngine(options);
  return {
    engine,
    options,
    root: at.project.root,
    async [Symbol.asyncDispose]() {
      await engine.close();
      if (shared === undefined) await at[Symbol.asyncDispose]();
    },
  };
}

export const ask = (session: Pick<LiveSession, "engine">, prompt: string): Promise<Turn> =>
  turn(session.engine, prompt);

export const isRetry = (frame: SdkMessage): frame is SdkApiRetry =>
  frame.type === "system" && frame.subtype === "api_retry";

export const retriesOf = ({ frames }: Turn): SdkApiRetry[] => frames.filter(isRetry);

/** The error that the consumer was shown, if any. */
export const errorsOf = ({ frames }: Turn): (string | undefined)[] =>
  frames.flatMap((frame) => (frame.type === "assistant" && frame.error !== undefined ? [frame.error] : []));
