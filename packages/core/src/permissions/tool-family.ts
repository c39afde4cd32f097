/** Rules about reading and editing paths and about commands cover every built-in tool that does so. */
const families: Readonly<Record<string, readonly string[]>> = {
  Read: ["Read", "Grep", "Glob", "LSP"],
  Edit: ["Edit", "Write", "NotebookEdit", "ApplyPatch"],
  Bash: ["Bash", "Monitor"],
};

export const isOfFamily = (tool: string, family: "Read" | "Edit" | "Bash") => families[family]?.includes(tool) === true;
