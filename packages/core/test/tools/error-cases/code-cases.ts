import type { ErrorTable } from "./error-case.ts";

const refused = "<tool_use_error>InputValidationError: LSP failed due to the following issue:\n";

export const codeCases: ErrorTable = {
  LSP: [
    {
      what: "another operation",
      input: { operation: "rename", filePath: "a.ts" },
      begins: `${refused}The parameter \`operation\` must be one of`,
    },
    {
      what: "a position without a line",
      input: { operation: "hover", filePath: "a.ts", character: 1 },
      begins: `${refused}The required parameter \`line\` is missing`,
    },
    {
      what: "line 0",
      input: { operation: "hover", filePath: "a.ts", line: 0, character: 1 },
      begins: `${refused}The parameter \`line\` must be at least 1 but is 0`,
    },
    {
      what: "no file",
      input: { operation: "diagnostics", filePath: "" },
      begins: `${refused}The parameter \`filePath\` is no path`,
    },
    {
      what: "a language without a server",
      input: { operation: "diagnostics", filePath: "a.klingon" },
      files: { "a.klingon": "Qapla'" },
      begins: "No language server is set for files that end in .klingon; ",
    },
  ],
};
