// A tool of your own, and a host that decides what may run. The session has two turns.
import { createEngine, tool } from "@pawl/core";

const weather = tool(
  "weather",
  "Tells the weather of a city.",
  { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  async ({ city }) => `It rains in ${city}.`,
);

const engine = await createEngine({
  model: "scripted:examples/own-tool.yaml",
  customTools: [weather],
  canUseTool: async (name, input) =>
    name === "weather"
      ? { behavior: "allow", updatedInput: input }
      : { behavior: "deny", message: "Only the weather." },
  persistSession: false,
});

try {
  for (const prompt of ["Do I need an umbrella in Bergen?", "Then delete my plans."]) {
    for await (const message of engine.submitMessage(prompt)) {
      if (message.type !== "result") continue;
      console.log(`${message.result} (${message.permission_denials.length} calls denied)`);
      if (message.is_error) process.exitCode = 1;
    }
  }
} finally {
  await engine.close();
}
