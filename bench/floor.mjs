// The least that an agent on Node can do: send, parse the stream, start each tool the moment its block is complete,
// send the results back. No permissions, no session, no retries, no limits.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";

const url = `${process.env.ANTHROPIC_BASE_URL}/v1/messages`;
const headers = {
  "content-type": "application/json",
  "x-api-key": process.env.ANTHROPIC_API_KEY,
  "anthropic-version": "2023-06-01",
};
const tool = (name, description, field) => ({
  name,
  description,
  input_schema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
});
const tools = [tool("Bash", "Run a shell command", "command"), tool("Read", "Read a file", "file_path")];
const run = { Bash: ({ command }) => runShell(command), Read: ({ file_path }) => readFile(file_path, "utf8") };

function runShell(command) {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(`${output}exit ${code}`));
  });
}

const messages = [{ role: "user", content: process.argv[2] }];
for (;;) {
  const content = [];
  const results = [];
  const inputs = [];
  const decoder = new TextDecoder();
  let buffer = "";
  const body = JSON.stringify({ model: "mock", max_tokens: 8192, stream: true, tools, messages });
  const response = await fetch(url, { method: "POST", headers, body });
  for await (const chunk of response.body) {
    buffer += decoder.decode(chunk, { stream: true });
    let at = 0;
    for (let end = buffer.indexOf("\n"); end >= 0; at = end + 1, end = buffer.indexOf("\n", at)) {
      if (buffer[at] === "d") take(JSON.parse(buffer.slice(at + "data: ".length, end)));
    }
    buffer = buffer.slice(at);
  }
  messages.push({ role: "assistant", content });
  if (results.length === 0) {
    process.stdout.write(`${content.map(({ text }) => text ?? "").join("")}\n`);
    break;
  }
  messages.push({ role: "user", content: await Promise.all(results) });

  function take(event) {
    const { type, index, delta } = event;
    if (type === "content_block_start") {
      content[index] = event.content_block;
      inputs[index] = "";
    } else if (type === "content_block_delta") {
      if (delta.type === "text_delta") content[index].text += delta.text;
      else inputs[index] += delta.partial_json;
    } else if (type === "content_block_stop" && content[index].type === "tool_use") {
      const block = content[index];
      block.input = JSON.parse(inputs[index]);
      results.push(
        run[block.name](block.input).then((text) => ({ type: "tool_result", tool_use_id: block.id, content: text })),
      );
    }
  }
}
