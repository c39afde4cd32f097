import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../scenarios/engine-harness.ts";
import type { Call, ErrorTable } from "./error-case.ts";

const read = (file_path: string): Call => ["Read", { file_path }];
const folder = (name: string) => (at: Place) => mkdir(at.project.path(name)).then(() => {});
const bytes =
  (name: string, content: Buffer) =>
  (at: Place): Promise<void> =>
    writeFile(join(at.project.root, name), content);
const error = (text: string) => `<tool_use_error>${text}`;
const patched = (...lines: string[]) => ({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

const noPatch = (text: string) => error(`InputValidationError: ApplyPatch failed due to the following issue:\n${text}`);

const notebook = JSON.stringify({
  cells: [{ id: "one", cell_type: "code", source: "x = 1", metadata: {}, outputs: [], execution_count: null }],
  ...{ metadata: {}, nbformat: 4, nbformat_minor: 5 },
});
const cell = { notebook_path: "n.ipynb", new_source: "y = 2" };

export const fileCases: ErrorTable = {
  Read: [
    {
      what: "a file that is not there",
      input: { file_path: "{root}/b.txt" },
      begins: error("File does not exist. Note: your current working directory is {root}."),
    },
    {
      what: "a name that is nearly right",
      input: { file_path: "reader.tsx" },
      files: { "reader.ts": "x\n" },
      begins: error(
        "File does not exist. Note: your current working directory is {root}.\n{root}/reader.tsx does not exist. Did you mean {root}/reader.ts?",
      ),
    },
    {
      what: "a folder",
      input: { file_path: "d" },
      setUp: folder("d"),
      begins: error("{root}/d is a directory, not a file."),
    },
    {
      what: "a device",
      input: { file_path: "/dev/zero" },
      begins: error("/dev/zero is a device; only regular files are read and written."),
    },
    {
      what: "NUL in the name",
      input: { file_path: "a\u0000b" },
      begins: error('The path "{root}/a\\u0000b" holds a NUL byte'),
    },
    { what: "a tilde", input: { file_path: "~/a.txt" }, begins: error("The path ~/a.txt begins with ~") },
    { what: "no line", input: { file_path: "a.txt", offset: 0 }, begins: error("InputValidationError: Read failed") },
    { what: "no limit", input: { file_path: "a.txt", limit: 0 }, begins: error("InputValidationError: Read failed") },
    {
      what: "pages of a text",
      input: { file_path: "a.txt", pages: "1" },
      files: { "a.txt": "a\n" },
      begins: error("`pages` is for PDF files only."),
    },
    {
      what: "a range above the token cap",
      input: { file_path: "a.txt", limit: 3_000 },
      files: { "a.txt": `${"x".repeat(60)}\n`.repeat(3_000) },
      begins: error("File content ("),
    },
    {
      what: "a file above the byte cap",
      input: { file_path: "a.txt" },
      files: { "a.txt": `${"x".repeat(99)}\n`.repeat(3_000) },
      begins: error("File content ("),
    },
    {
      what: "a line past the end",
      input: { file_path: "a.txt", offset: 9 },
      files: { "a.txt": "a\n" },
      begins: "<system-reminder>The file has 2 lines; offset 9 is past its end.",
      isError: false,
    },
    {
      what: "bytes that are no text",
      input: { file_path: "a.bin" },
      setUp: bytes("a.bin", Buffer.from([1, 0, 2, 0, 0, 255, 254, 0])),
      begins: error("{root}/a.bin is no text that can be read: byte 1 is NUL"),
    },
    {
      what: "a damaged picture",
      input: { file_path: "a.png" },
      setUp: bytes("a.png", Buffer.from("\x89PNG\r\n\x1a\nnothing", "latin1")),
      begins: error("{root}/a.png is an image that cannot be given: "),
    },
    {
      what: "a damaged PDF",
      input: { file_path: "a.pdf" },
      files: { "a.pdf": "%PDF-1.7\nnothing" },
      begins: error("{root}/a.pdf is damaged: "),
    },
    {
      what: "a notebook that is none",
      input: { file_path: "a.ipynb" },
      files: { "a.ipynb": "{" },
      begins: error("{root}/a.ipynb is no notebook: it is not JSON"),
    },
  ],
  Write: [
    {
      what: "a file that was not read",
      input: { file_path: "a.txt", content: "b" },
      files: { "a.txt": "a" },
      begins: error("File has not been read yet. Read it first before writing to it."),
    },
    {
      what: "a file that was read in part",
      input: { file_path: "a.txt", content: "b" },
      files: { "a.txt": "a\nb\nc\n" },
      first: [["Read", { file_path: "a.txt", limit: 1 }]],
      begins: error("File has not been read yet."),
    },
    {
      what: "a file that has changed since",
      input: { file_path: "a.txt", content: "b" },
      files: { "a.txt": "a" },
      first: [read("a.txt"), ["Bash", { command: "echo other > a.txt" }]],
      begins: error("File has been modified since read, either by the user or by a linter."),
    },
    {
      what: "a folder",
      input: { file_path: "d", content: "b" },
      setUp: folder("d"),
      begins: error("{root}/d is a directory, not a file."),
    },
    {
      what: "a file for a folder",
      input: { file_path: "a.txt/b", content: "b" },
      files: { "a.txt": "a" },
      begins: error(
        "File does not exist. Note: your current working directory is {root}.\n{root}/a.txt/b cannot be there: a part of the path is a file",
      ),
    },
    {
      what: "half a character",
      input: { file_path: "a.txt", content: "\ud83d" },
      begins: error("The text for {root}/a.txt holds half of a character (a lone surrogate)"),
    },
    { what: "a tilde", input: { file_path: "~/a", content: "" }, begins: error("The path ~/a begins with ~") },
  ],
  Edit: [
    {
      what: "a file that is not there",
      input: { file_path: "a.txt", old_string: "a", new_string: "b" },
      begins: error("File does not exist. Note: your current working directory is {root}."),
    },
    {
      what: "nothing different",
      input: { file_path: "a.txt", old_string: "a", new_string: "a" },
      files: { "a.txt": "a" },
      first: [read("a.txt")],
      begins: error("No changes to make: old_string and new_string are exactly the same."),
    },
    {
      what: "a file that was not read",
      input: { file_path: "a.txt", old_string: "a", new_string: "b" },
      files: { "a.txt": "a" },
      begins: error("File has not been read yet. Read it first before writing to it."),
    },
    {
      what: "text that is not in it",
      input: { file_path: "a.txt", old_string: "z", new_string: "b" },
      files: { "a.txt": "a" },
      first: [read("a.txt")],
      begins: error("String to replace not found in file.\nString: z"),
    },
    {
      what: "text that is in it twice",
      input: { file_path: "a.txt", old_string: "a", new_string: "b" },
      files: { "a.txt": "a a" },
      first: [read("a.txt")],
      begins: error("Found 2 matches of the string to replace, but replace_all is false."),
    },
    {
      what: "text that a change has taken away",
      input: { file_path: "a.txt", old_string: "a", new_string: "b" },
      files: { "a.txt": "a" },
      first: [read("a.txt"), ["Bash", { command: "echo other > a.txt" }]],
      begins: error("File has been modified since read, either by the user or by a linter."),
    },
    {
      what: "an empty old text of a file that is there",
      input: { file_path: "a.txt", old_string: "", new_string: "b" },
      files: { "a.txt": "a" },
      first: [read("a.txt")],
      begins: error("old_string is empty, but the file is not."),
    },
    {
      what: "a notebook",
      input: { file_path: "n.ipynb", old_string: "1", new_string: "2" },
      files: { "n.ipynb": notebook },
      first: [read("n.ipynb")],
      begins: error("File is a Jupyter Notebook. Use NotebookEdit to change it."),
    },
    {
      what: "a folder",
      input: { file_path: "d", old_string: "1", new_string: "2" },
      setUp: folder("d"),
      begins: error("{root}/d is a directory, not a file."),
    },
  ],
  NotebookEdit: [
    {
      what: "a file that is no notebook",
      input: { ...cell, notebook_path: "a.txt" },
      begins: error("{root}/a.txt is no"),
    },
    { what: "a notebook that is not there", input: cell, begins: error("File does not exist.") },
    {
      what: "a notebook that was not read",
      input: cell,
      files: { "n.ipynb": notebook },
      begins: error("File has not been read yet."),
    },
    {
      what: "no cell",
      input: cell,
      files: { "n.ipynb": notebook },
      first: [read("n.ipynb")],
      begins: error("cell_id is needed to replace a cell."),
    },
    {
      what: "a cell that is not there",
      input: { ...cell, cell_id: "two" },
      files: { "n.ipynb": notebook },
      first: [read("n.ipynb")],
      begins: error('Cell with ID "two" not found in notebook. Its cells are: one'),
    },
    {
      what: "a new cell of no type",
      input: { ...cell, edit_mode: "insert" },
      files: { "n.ipynb": notebook },
      first: [read("n.ipynb")],
      begins: error("cell_type is needed"),
    },
    {
      what: "what the cell holds already",
      input: { ...cell, cell_id: "one", new_source: "x = 1" },
      files: { "n.ipynb": notebook },
      first: [read("n.ipynb")],
      begins: error("No changes to make: the cell holds new_source already."),
    },
    {
      what: "another mode",
      input: { ...cell, edit_mode: "append" },
      begins: error(
        "InputValidationError: NotebookEdit failed due to the following issue:\nThe parameter `edit_mode` must be one of",
      ),
    },
  ],
  ApplyPatch: [
    { what: "no patch", input: { patch: "" }, begins: noPatch('The first line of a patch is "*** Begin Patch".') },
    { what: "a patch of nothing", input: patched(), begins: noPatch("The patch changes no file.") },
    {
      what: "a patch that is cut off",
      input: { patch: "*** Begin Patch\n*** Add File: a.txt\n+a" },
      begins: noPatch('The last line of a patch is "*** End Patch"; this one is cut off.'),
    },
    {
      what: "a file that is not there",
      input: patched("*** Update File: a.txt", "@@", "-a", "+b"),
      begins: error("File does not exist. Note: your current working directory is {root}."),
    },
    {
      what: "a new file that is there",
      input: patched("*** Add File: a.txt", "+b"),
      files: { "a.txt": "a\n" },
      begins: error("{root}/a.txt exists already. Use *** Update File to change it."),
    },
    {
      what: "lines that are not in the file",
      input: patched("*** Update File: a.txt", "@@", "-z", "+b"),
      files: { "a.txt": "a\n" },
      begins: error("{root}/a.txt: change 1 of 1 does not match the file. Read it again."),
    },
    {
      what: "a file twice",
      input: patched("*** Delete File: a.txt", "*** Delete File: a.txt"),
      files: { "a.txt": "a\n" },
      begins: noPatch("The patch names"),
    },
    {
      what: "a line of no kind",
      input: patched("*** Move File: a"),
      begins: noPatch("Line 2 of the patch is not understood:"),
    },
  ],
};
