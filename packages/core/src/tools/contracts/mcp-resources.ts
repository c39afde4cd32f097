import type { InputOf } from "../define-tool.ts";

/** The public input of `ListMcpResourcesTool`; default all servers. */
export const listMcpResourcesInput = {
  type: "object",
  properties: { server: { type: "string" } },
  additionalProperties: false,
} as const;
export type ListMcpResourcesInput = InputOf<typeof listMcpResourcesInput>;

/** The public input of `ReadMcpResourceTool` and of `ReadMcpResourceDirTool`. */
export const readMcpResourceInput = {
  type: "object",
  properties: { server: { type: "string" }, uri: { type: "string" } },
  required: ["server", "uri"],
  additionalProperties: false,
} as const;
export type ReadMcpResourceInput = InputOf<typeof readMcpResourceInput>;

/** What `ListMcpResourcesTool` and `ReadMcpResourceDirTool` give. */
export type ListedResource = { uri: string; name: string; mimeType?: string; description?: string; server: string };

/** How `ReadMcpResourceDirTool` marks what has children of its own. */
export const DIRECTORY_MIME_TYPE = "inode/directory";

/** What `ReadMcpResourceTool` gives. Binary content is stored and named by its path. */
export type ResourceContents = {
  contents: readonly { uri: string; mimeType?: string; text?: string; blobSavedTo?: string }[];
};
