// One prompt, one answer. With ANTHROPIC_API_KEY set, leave `model` out to ask the real one.
import { query } from "@pawl/core";

const options = { model: "scripted:examples/ask.yaml", tools: ["Read"], persistSession: false };

for await (const message of query({ prompt: "What is this project called?", options })) {
  if (message.type === "assistant") {
    for (const block of message.message.content) if (block.type === "tool_use") console.log(`uses ${block.name}`);
  }
  if (message.type === "result") {
    console.log(message.result);
    if (message.is_error) process.exitCode = 1;
  }
}
