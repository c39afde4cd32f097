// A model that answers at once, on loopback, in a process of its own. It records when each request came and each answer ended.
// Its parent tells it over IPC what to play and asks for the records; it ends when its parent does.
import { statSync } from "node:fs";
import http from "node:http";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { anthropicStream } from "./anthropic-stream.mjs";
import { nowMs } from "./clock.mjs";
import { contestants } from "./contestants.mjs";
import { scenarios, UNREAD_SINCE_S } from "./scenarios.mjs";

const SEGMENT_BYTES = 16_384;
const MAX_WATCH_MS = 5_000;
const sideAnswer = [{ type: "text", text: "bench" }];

let play;

/** Sets what is answered from now on, and starts a new record. */
function begin({ scenario, contestant, work }) {
  const { answer, watch } = scenarios[scenario];
  const agent = contestants[contestant];
  const answerTo = (n) => answer(n, agent, work);
  const first = answerTo(0);
  play = {
    answerTo,
    watched: watch?.(work),
    toolName: JSON.stringify(agent.shell("").name),
    longText: first[0].deltas === undefined ? undefined : longText(first),
    mainRequests: 0,
    records: [],
  };
}

/** Made before the clock runs. */
function longText(blocks) {
  const parts = [...anthropicStream(blocks, "msg_0")];
  return Buffer.from(parts.filter((part) => typeof part === "string").join(""));
}

async function answerRequest(request, response) {
  const receivedMs = nowMs();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!request.url.split("?")[0].endsWith("/v1/messages")) return response.writeHead(404).end();
  // Titles, probes and the like do not declare the tools: they are answered, and not part of the scenario.
  const isMain = body.includes(play.toolName);
  const record = { isMain, receivedMs, bodyMs: nowMs() };
  play.records.push(record);
  const n = isMain ? play.mainRequests++ : -1;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  if (isMain && play.longText !== undefined) await sendLong(response, play.longText);
  else await sendBlocks(response, isMain ? play.answerTo(n) : sideAnswer, `msg_${n}`, record);
  record.hasErrorResult = body.includes('"is_error":true');
}

async function sendLong(response, bytes) {
  for (let at = 0; at < bytes.length && !response.destroyed; at += SEGMENT_BYTES) {
    if (!response.write(bytes.subarray(at, at + SEGMENT_BYTES))) await drained(response);
  }
  response.end();
}

const drained = (response) =>
  new Promise((resolve) => {
    const settle = () => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });

async function sendBlocks(response, blocks, id, record) {
  const isSlow = blocks.some(({ dribbleMs }) => dribbleMs > 0);
  let text = "";
  for (const part of anthropicStream(blocks, id)) {
    if (typeof part === "string") text += part;
    else if (isSlow) {
      response.write(text);
      text = "";
      if (part.isFirstBlockEnd) void watchRead(record);
      else await sleep(part.waitMs);
    }
  }
  record.endMs = nowMs(); // before it is sent: this process may be held up right after
  response.end(text);
}

/**
 * Notes when the watched file is read: its access time changes.
 * Asked in a loop because the kernel's own stamp is only true to a tick of 4 ms.
 */
async function watchRead(record) {
  record.firstBlockMs = nowMs();
  const deadline = record.firstBlockMs + MAX_WATCH_MS;
  while (nowMs() < deadline) {
    if (statSync(play.watched).atimeMs !== UNREAD_SINCE_S * 1000) {
      record.readMs = nowMs();
      return;
    }
    await setImmediate();
  }
}

const commands = {
  begin: (command) => {
    begin(command);
    return {};
  },
  records: () => ({ records: play.records }),
};

const server = http.createServer((request, response) => {
  answerRequest(request, response).catch((error) => {
    process.stderr.write(`mock server: ${error.message}\n`);
    response.destroy();
  });
});
process.on("message", (command) => process.send(commands[command.type](command)));
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => process.send({ baseUrl: `http://127.0.0.1:${server.address().port}` }));
