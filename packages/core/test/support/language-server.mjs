// A language server for tests, which does what its argument says. `fine` answers as it should.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [behaviour = "fine", log] = process.argv.slice(2);
const note = (line) => log && appendFileSync(log, `${line}\n`);
note(`start ${process.pid}`);
if (behaviour === "deaf") process.on("SIGTERM", () => {});
if (behaviour === "deaf") note(`child ${spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).pid}`);
if (behaviour === "crashes at start") {
  process.stderr.write("no licence\n");
  process.exit(3);
}

const write = (text) => process.stdout.write(text);
const send = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};

const bad = {
  "sends garbage": () => write("Segmentation fault: core dumped\n".repeat(500)),
  "sends binary": () => write(Buffer.from([0, 255, 1, 2])),
  "sends no JSON": () => write("Content-Length: 5\r\n\r\n{oops"),
  "sends an array": () => write("Content-Length: 2\r\n\r\n[]"),
  "sends a huge message": () => write("Content-Length: 9000000000\r\n\r\n{"),
  "sends an endless header": () => write("X-Filler: 1\r\n".repeat(100_000)),
  "crashes on a question": () => {
    process.stderr.write("panic: oh no\n");
    process.exit(1);
  },
  refuses: (id) => send({ id, error: { code: -32603, message: "not now" } }),
  hangs: () => {},
  deaf: () => {},
  "gives nonsense": (id) => send({ id, result: [7, null, { uri: 3 }, { uri: "file:///a", range: 9 }, { from: "x" }] }),
};

function take({ id, method, params }) {
  if (method === undefined || id === undefined) {
    if (method?.startsWith("textDocument/did")) note(`${method} ${params.textDocument.version ?? ""}`);
    if (method === "exit") process.exit(0);
    return;
  }
  if (method === "initialize") {
    if (behaviour !== "never begins") send({ id, result: { capabilities: {} } });
    return;
  }
  note(method);
  if (method === "shutdown") return send({ id, result: null });
  if (bad[behaviour]) return bad[behaviour](id);
  send({ id, result: { contents: { kind: "plaintext", value: `${method} ${params.position?.line}` } } });
}

let pending = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  pending = Buffer.concat([pending, chunk]);
  for (;;) {
    const end = pending.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(pending.toString("latin1", 0, end))[1]);
    if (pending.length < end + 4 + length) return;
    const message = JSON.parse(pending.toString("utf8", end + 4, end + 4 + length));
    pending = pending.subarray(end + 4 + length);
    take(message);
  }
});
process.stdin.on("end", () => behaviour !== "deaf" && process.exit(0));
