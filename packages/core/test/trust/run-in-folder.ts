import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { EngineOptions } from "@pawl/core";
import { seededRandom } from "../permissions/random.ts";
import { answers200, text, use } from "../recovery/answers.ts";
import { oneTurn } from "../scenarios/engine-harness.ts";
import { type LoopbackServer, loopbackServer } from "../support/loopback-server.ts";
import { type Call, HostileFolder, type Seen, stepOf, type Trap } from "./hostile-folder.ts";
import { traps } from "./traps.ts";

const MAX_TRAPS = 3;
const RUN_TIMEOUT_MS = 60_000;

/** A hostile folder, the traps in it, and the two servers: the model's, and one that only the folder knows. */
export type Case = AsyncDisposable & {
  folder: HostileFolder;
  traps: readonly Trap[];
  model: LoopbackServer;
  foreign: LoopbackServer;
};

/** The folder of that number: each trap comes first in one, with others that the seed picks. */
export async function hostileCase(seed: number): Promise<Case> {
  const random = seededRandom(seed);
  let folder: HostileFolder | undefined;
  const answer = answering(() => folder?.calls ?? []);
  const [model, foreign] = await Promise.all([loopbackServer(answer), loopbackServer(answer)]);
  folder = await HostileFolder.make(random, foreign.url);
  const chosen = chosenTraps(seed, random.pick);
  for (const trap of chosen) await trap.set(folder, random);
  await folder.build();
  const made = folder;
  return {
    folder,
    traps: chosen,
    model,
    foreign,
    async [Symbol.asyncDispose]() {
      await Promise.all([made[Symbol.asyncDispose](), model[Symbol.asyncDispose](), foreign[Symbol.asyncDispose]()]);
    },
  };
}

function chosenTraps(seed: number, pick: <Item>(items: readonly Item[]) => Item): Trap[] {
  const first = traps[seed % traps.length];
  const chosen = first === undefined ? [] : [first];
  for (let more = seed % MAX_TRAPS; more > 0; more--) {
    const trap = pick(traps);
    const isTaken = chosen.some(
      ({ name, group }) => name === trap.name || (group !== undefined && group === trap.group),
    );
    const isLost = [trap, ...chosen].some(({ group }) => group === "pipes"); // it stands where the settings would
    if (!isTaken && !isLost) chosen.push(trap);
  }
  return chosen;
}

/** Plays the calls one after the other, by how many results the request holds. */
function answering(calls: () => readonly Call[]): Parameters<typeof loopbackServer>[0] {
  return (response, { body }) => {
    const done = body.split('"type":"tool_result"').length - 1;
    const call = calls()[done];
    const said = call === undefined ? text("All done.") : { blocks: [use(`toolu_${done}`, call.tool, call.input)] };
    answers200(said)(response);
  };
}

/** One turn of an engine in this process. */
export async function runEngine(at: Case, more: EngineOptions = {}): Promise<Seen> {
  const { folder, model } = at;
  const env = {
    ...folder.env,
    ANTHROPIC_API_KEY: "test-key-0123456789",
    ANTHROPIC_BASE_URL: model.url,
    PAWL_RETRY_BASE_MS: "1",
  };
  return watched(at, async () => {
    const { frames } = await oneTurn({ cwd: folder.start, env, entrypoint: "cli", ...more });
    return { text: JSON.stringify(frames) };
  });
}

const program = fileURLToPath(new URL("../../../cli/bin/pawl.js", import.meta.url));

/** The real program on a scripted model. `through` is a program that starts it, such as a tracer. */
export async function runProgram(
  at: Case,
  flags: readonly string[] = [],
  through: readonly string[] = [],
): Promise<Seen & { stderr: string; code: number | null }> {
  const { folder } = at;
  const steps = [...folder.calls.map(stepOf), { answer: [{ text: "All done." }] }];
  const scenario = await folder.write(
    "scenario.json",
    JSON.stringify({ version: 1, name: "calls", steps }),
    folder.place,
  );
  const args = [program, "-p", "go", "--output-format", "stream-json", "--model", `scripted:${scenario}`, ...flags];
  const [file = process.execPath, ...rest] = [...through, process.execPath, ...args];
  return watched(at, async () => {
    const child = spawn(file, rest, {
      cwd: folder.start,
      env: folder.env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: RUN_TIMEOUT_MS,
    });
    const [text, stderr] = [collect(child.stdout), collect(child.stderr)];
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { text: text(), stderr: stderr(), code };
  });
}

/** What a stream has given so far. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const pieces: string[] = [];
  stream.setEncoding("utf8").on("data", (piece: string) => void pieces.push(piece));
  return () => pieces.join("");
}

/** Runs it and looks at what happened around it. */
async function watched<Result extends { text: string }>(at: Case, run: () => Promise<Result>): Promise<Result & Seen> {
  const { folder, foreign } = at;
  const before = await folder.state();
  const connections = foreign.sockets.size;
  const result = await run();
  const after = await folder.state();
  const paths = new Set([...before.keys(), ...after.keys()]);
  return {
    ...result,
    ran: await folder.takeRan(),
    connections: foreign.sockets.size - connections,
    written: [...paths].filter((path) => before.get(path) !== after.get(path)),
  };
}

/** What of a run came out of the folder; nothing, when it is not trusted. */
export const harm = ({ ran, connections, written }: Seen) => ({ ran: [...ran], connections, written });
export const noHarm = { ran: [], connections: 0, written: [] };
