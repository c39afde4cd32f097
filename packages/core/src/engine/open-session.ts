import { randomUUID } from "node:crypto";
import type { FileStateCache } from "../files/file-state-cache.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { onFirstCall } from "../lib/on-first-call.ts";
import type { Uuid } from "../messages/message.ts";
import { openTranscript } from "../transcript/jsonl-writer.ts";
import { nullStore } from "../transcript/null-store.ts";
import { placeNewSession, type SessionPlace } from "../transcript/project-folder.ts";
import type { LoadedSession } from "../transcript/resume.ts";
import type { TranscriptStore } from "../transcript/store.ts";
import type { EngineOptions } from "./options.ts";
import { type RestoredSession, restoreReadState, restoreSession } from "./restore.ts";

const findSession = onFirstCall(async () => (await import("../transcript/find-session.ts")).findSession);
const forkSession = onFirstCall(async () => (await import("../transcript/fork.ts")).forkSession);
const loadSession = onFirstCall(async () => (await import("../transcript/resume.ts")).loadSession);

type SessionRequest = {
  options: EngineOptions;
  configHome: string;
  /** Absolute, links resolved. */
  cwd: string;
  version: string;
  entrypoint: string;
};

/** A session that is to be opened: new, stored and loaded, or to be copied from a stored file. Nothing is locked or written yet. */
type FoundSession = { place: SessionPlace; loaded?: LoadedSession; forkFrom?: string };

/** @throws PawlError `session_not_found`, `session_in_use`, `session_newer`, `bad_option`. */
export async function findOrPlaceSession({ options, configHome, cwd }: SessionRequest): Promise<FoundSession> {
  const id = options.resume ?? (options.continueSession ? "newest" : undefined);
  const fresh = () => placeNewSession({ configHome, realCwd: cwd, sessionId: options.sessionId ?? randomUUID() });
  if (id === undefined) return { place: await fresh() };
  const found = await findSession({ configHome, cwd, id });
  const loaded = await loadSession(found.file);
  return options.forkSession ? { place: await fresh(), loaded, forkFrom: found.file } : { place: found, loaded };
}

type OpenedSession = { store: TranscriptStore; initial?: RestoredSession };

/** Takes the session: locks it, closes what a crash left open, and fills `readState`. @throws PawlError `session_in_use`. */
export async function openSession(
  found: FoundSession,
  request: SessionRequest,
  files: WorkspaceFiles,
  readState: FileStateCache,
): Promise<OpenedSession> {
  const { options, cwd, version, entrypoint } = request;
  const uuid = () => randomUUID() as Uuid;
  const isKept = options.persistSession !== false;
  const { place, loaded } = isKept ? await copied(found) : found;
  const store = !isKept
    ? nullStore(place.sessionId)
    : await openTranscript({ place, cwd, version, entrypoint, now: Date.now, ...fenceOf(loaded) });
  if (loaded === undefined) return { store };
  try {
    const initial = await restoreSession(loaded, files, uuid);
    for (const entry of initial.closing) await store.append(entry);
    await restoreReadState(loaded, files, readState);
    return { store, initial };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A fork is copied when everything else about the session has been found right. */
async function copied(found: FoundSession): Promise<FoundSession> {
  if (found.forkFrom === undefined) return found;
  const place = await forkSession({ from: found.forkFrom, to: found.place, now: Date.now });
  return { place, loaded: await loadSession(place.file) };
}

const fenceOf = (loaded: LoadedSession | undefined) => (loaded === undefined ? {} : { lastFence: loaded.fence });
