import { type ErrorTable, refused } from "./error-case.ts";

const one = { "a.txt": "one\ntwo\n" };

export const searchCases: ErrorTable = {
  Glob: [
    {
      what: "an empty pattern",
      input: { pattern: " " },
      begins: refused('The pattern is empty. Give one such as "**/*.ts".'),
    },
    {
      what: "a folder that is not there",
      input: { pattern: "*", path: "undefined" },
      begins: refused("Directory does not exist: {root}/undefined. Note: your current working directory is {root}."),
    },
    {
      what: "a file for a folder",
      input: { pattern: "*", path: "a.txt" },
      files: one,
      begins: refused("Directory does not exist:"),
    },
    { what: "nothing found", input: { pattern: "*.md" }, files: one, begins: "No files found", isError: false },
  ],
  Grep: [
    {
      what: "a pattern that is none",
      input: { pattern: "(" },
      files: one,
      begins: refused("rg: regex could not be compiled"),
    },
    {
      what: "a path that is not there",
      input: { pattern: "one", path: "b" },
      begins: refused("Path does not exist: {root}/b. Note: your current working directory is {root}."),
    },
    {
      what: "a device",
      input: { pattern: "one", path: "/dev/zero" },
      begins: refused("/dev/zero is no regular file and no directory"),
    },
    {
      what: "a glob that leads out",
      input: { pattern: "one", glob: "../*" },
      begins: refused("The glob ../* leads out of the searched folder"),
    },
    {
      what: "a type that is none",
      input: { pattern: "one", type: "klingon" },
      files: one,
      begins: refused("rg: unrecognized file type: klingon"),
    },
    {
      what: "another mode",
      input: { pattern: "one", output_mode: "lines" },
      begins: refused(
        "InputValidationError: Grep failed due to the following issue:\nThe parameter `output_mode` must be one of",
      ),
    },
    {
      what: "a negative limit",
      input: { pattern: "one", head_limit: -1 },
      begins: refused("InputValidationError: Grep failed"),
    },
    { what: "nothing found", input: { pattern: "three" }, files: one, begins: "No files found", isError: false },
    {
      what: "an offset past the end",
      input: { pattern: "one", offset: 9 },
      files: one,
      begins: "No entries at this offset",
      isError: false,
    },
  ],
};
