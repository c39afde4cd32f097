// Who is measured. The floor is what everything is a multiple of; each other entry gets its own table.
//
// To add one (another agent, or another build of Pawl), add an entry:
//   label    its name in the report
//   argv     a headless run that asks for nothing: the program itself, not a script that starts it,
//            because peak memory is read from this process; `{prompt}` stands for the prompt
//   env      where the model is and where the program keeps its files, from { baseUrl, home }
//   shell    the call of its shell tool for a command, read the call of its read tool for a path
// It must speak the Anthropic Messages API; a run counts only if every tool call worked.
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const model = (baseUrl) => ({ ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: "not-a-key" });
const shell = (command) => ({ type: "tool_use", name: "Bash", input: { command } });
const read = (file_path) => ({ type: "tool_use", name: "Read", input: { file_path } });

export const floor = {
  label: "floor",
  argv: [process.execPath, here("floor.mjs"), "{prompt}"],
  env: ({ baseUrl }) => model(baseUrl),
  shell,
  read,
};

const pawl = {
  label: "Pawl",
  argv: [process.execPath, here("../packages/cli/bin/pawl.js"), "-p", "{prompt}", "--allowedTools", "Bash,Read"],
  env: ({ baseUrl, home }) => ({ ...model(baseUrl), PAWL_CONFIG_DIR: `${home}/.pawl` }),
  shell,
  read,
};

export const contestants = { floor, pawl };
