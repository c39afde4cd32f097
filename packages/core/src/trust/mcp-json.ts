import { join } from "node:path";
import { PawlError } from "../lib/error.ts";
import { isObject } from "../settings/check-value.ts";
import { parseJson } from "../settings/parse-json.ts";
import { bytesOf } from "./bytes-of.ts";
import type { FolderItem } from "./folder-item.ts";

const MAX_MCP_JSON_BYTES = 2 * 1024 * 1024;

/** The servers that the `.mcp.json` of the start folder names; of one that cannot be read the file as a whole. */
export async function mcpItems(cwd: string): Promise<FolderItem[]> {
  const place = join(cwd, ".mcp.json");
  const bytes = await bytesOf(place, MAX_MCP_JSON_BYTES);
  if (bytes === undefined) return [];
  const item = (key: string, value: unknown): FolderItem => ({ source: "mcpJson", place, key, value });
  if (bytes === "unreadable") return [item("mcpServers", "a file that cannot be read")];
  const text = bytes.toString("utf8");
  const servers = serversIn(text, place);
  if (servers === undefined) return [item("mcpServers", text)];
  return Object.entries(servers).map(([name, server]) => item(`mcpServers.${name}`, server));
}

function serversIn(text: string, place: string): Record<string, unknown> | undefined {
  try {
    const parsed = parseJson(text, place);
    if (!isObject(parsed)) return undefined;
    const servers = parsed["mcpServers"] ?? {};
    return isObject(servers) ? servers : undefined;
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return undefined; // not JSON, or nested too deeply to be walked: the text itself stands for it
  }
}
