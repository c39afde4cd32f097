import { bullets, type Section } from "../section.ts";

export const usingTools: Section = (tools) => {
  if (tools.size === 0) return "";
  return `# Using tools
${bullets(tools, [
  "Calls that do not depend on each other go into one answer, so that they run side by side; a call that needs another's result waits for it.",
  { needs: ["Read", "Bash"], text: "To look at a file use Read, not cat, head or tail." },
  { needs: ["Grep"], text: "To search in files use Grep." },
  { needs: ["Glob"], text: "To find files by name use Glob." },
  {
    needs: ["Edit"],
    text: "To change a file use Edit with enough of the surrounding text to be unique; read the file first.",
  },
  { needs: ["Write"], text: "Use Write for new files and full rewrites only." },
  {
    needs: ["Bash"],
    text: "Use Bash for builds, tests, version control and programs. Commands get no input: use the flags that make them run unattended, and never start an editor or pager. Quote paths that have blanks.",
  },
  "Paths that you give to tools are absolute unless a tool says otherwise.",
  "A tool's error says what was wrong with the call: correct the call instead of repeating it.",
  "A result may be cut; when the part you need is missing, ask for that part.",
])}`;
};
