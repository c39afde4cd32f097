/** What surrounds the session, taken once. */
export type SystemContext = {
  /** The state of the repository, as text. */
  gitStatus?: string;
  mcpServers?: readonly { name: string; instructions?: string }[];
};

/** The end of the system prompt; empty when there is nothing to say. */
export function systemContextText({ gitStatus, mcpServers = [] }: SystemContext): string {
  const parts: string[] = [];
  if (mcpServers.length > 0) {
    const servers = mcpServers.map(({ name, instructions }) => `## ${name}${instructions ? `\n${instructions}` : ""}`);
    parts.push(`# MCP servers\nTheir tools are named mcp__<server>__<tool>.\n\n${servers.join("\n\n")}`);
  }
  if (gitStatus !== undefined && gitStatus.trim() !== "") {
    parts.push(`# Repository when the session started\n${gitStatus}`);
  }
  return parts.join("\n\n");
}
