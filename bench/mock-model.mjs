// The runner's end of the mock server.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAX_ANSWER_MS = 30_000;

export async function startMockModel() {
  const child = fork(fileURLToPath(new URL("mock-server.mjs", import.meta.url)));
  const answer = async () => {
    const [message] = await once(child, "message", { signal: AbortSignal.timeout(MAX_ANSWER_MS) });
    return message;
  };
  const ask = (command) => {
    const answered = answer();
    child.send(command);
    return answered;
  };
  const { baseUrl } = await answer();
  return {
    baseUrl,
    begin: (scenario, contestant, work) => ask({ type: "begin", scenario, contestant, work }),
    records: async () => (await ask({ type: "records" })).records,
    stop: () => child.disconnect(),
  };
}
