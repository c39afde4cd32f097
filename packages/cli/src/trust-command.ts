import { resolve } from "node:path";
import { revokeTrust, trustedFolders } from "@pawl/core";
import type { CommandIo } from "./program-command.ts";
import { withUnseenShown } from "./terminal/shown-text.ts";
import { UsageError } from "./usage-error.ts";

const help = `Usage: pawl trust list [--json]
       pawl trust revoke [folder]

list shows the folders that were trusted, since when and with how many entries. revoke makes that the folder, by default
this one, is asked about again. A prompt that begins with the word "trust" goes into quotes.
`;

/** `pawl trust …`: exit code 1 when `revoke` finds nothing. */
export async function trust(args: readonly string[], io: CommandIo): Promise<number> {
  const [action, ...words] = args;
  if (action === "list" && (words.length === 0 || words.join() === "--json")) return list(words.length > 0, io);
  if (action === "revoke" && words.length <= 1) return revoke(words[0] ?? ".", io);
  if (action === "--help" || action === "-h") {
    await io.stdout.write(help);
    return 0;
  }
  throw new UsageError(
    `pawl trust does list and revoke [folder]${args.length === 0 ? "" : `, not ${JSON.stringify(args.join(" "))}`}; a prompt that begins with "trust" goes into quotes`,
  );
}

async function list(isJson: boolean, io: CommandIo): Promise<number> {
  const folders = await trustedFolders();
  if (isJson) {
    await io.stdout.write(`${JSON.stringify(folders, null, 2)}\n`);
    return 0;
  }
  if (folders.length === 0) await io.stderr.write("pawl: no folder is trusted\n");
  for (const { folder, starts } of folders) {
    for (const [start, { at, items }] of Object.entries(starts)) {
      const place = start === "." ? folder : `${folder} (${start})`;
      await io.stdout.write(
        `${withUnseenShown(place)}  since ${withUnseenShown(at.slice(0, 10))}, entries: ${Object.keys(items).length}\n`,
      );
    }
  }
  return 0;
}

async function revoke(path: string, io: CommandIo): Promise<number> {
  const folder = await revokeTrust(path);
  const told = folder === undefined ? `${resolve(path)} is not trusted` : `no longer trusted: ${folder}`;
  await io.stderr.write(`pawl: ${withUnseenShown(told)}\n`);
  return folder === undefined ? 1 : 0;
}
