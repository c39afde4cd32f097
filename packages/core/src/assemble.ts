import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AppState, appStateStore } from "./engine/app-state.ts";
import { checkOptions, workingDirectory } from "./engine/check-options.ts";
import { builtinCommands } from "./engine/command.ts";
import { damageNotices } from "./engine/damage-notices.ts";
import type { EngineConfig } from "./engine/engine-config.ts";
import { lspServers } from "./engine/lsp-settings.ts";
import { refuseUnconfined } from "./engine/not-in-force.ts";
import { offeredTools } from "./engine/offered-tools.ts";
import { findOrPlaceSession, openSession } from "./engine/open-session.ts";
import type { EngineOptions } from "./engine/options.ts";
import { RULES_PART } from "./engine/permission-updates.ts";
import { QueryEngine } from "./engine/query-engine.ts";
import { savePermissions } from "./engine/save-permissions.ts";
import { sessionModels } from "./engine/session-models.ts";
import { sessionModes } from "./engine/session-modes.ts";
import { settingsOptions } from "./engine/settings-options.ts";
import { sharedTasks } from "./engine/shared-tasks.ts";
import { startCwd } from "./engine/start-cwd.ts";
import { toolSearchMode } from "./engine/tool-search-mode.ts";
import { toolSettings, wholeNumber } from "./engine/tool-settings.ts";
import { followSettings, withDirectories, withSettings } from "./engine/turn-settings.ts";
import { createFileStateCache } from "./files/file-state-cache.ts";
import { localFiles } from "./files/local-files.ts";
import type { WorkspaceFiles } from "./files/workspace-files.ts";
import { abortableSleep } from "./lib/abort.ts";
import { onFirstCall } from "./lib/on-first-call.ts";
import { findInstructionFiles } from "./memory/instruction-files.ts";
import type { Uuid } from "./messages/message.ts";
import type { CheckAnswer } from "./permissions/check.ts";
import type { PermissionContext } from "./permissions/context.ts";
import type { PermissionJudge } from "./permissions/judge.ts";
import { permissionModeNamed } from "./permissions/mode.ts";
import { keptOnResume, withChanges } from "./permissions/rule-changes.ts";
import { inThisPlatform } from "./permissions/windows-context.ts";
import { buildSystemPrompt } from "./prompt/build-system-prompt.ts";
import { userContextText } from "./prompt/user-context.ts";
import { MAX_STRUCTURED_OUTPUT_RETRIES } from "./query/structured-output.ts";
import { configHome as configHomeOf, homeOf } from "./settings/config-home.ts";
import { envVar } from "./settings/env-var.ts";
import { openSettings } from "./settings/settings-store.ts";
import { findShell, shellName } from "./shell/find-shell.ts";
import { localShell } from "./shell/run.ts";
import { builtinTools } from "./tools/builtin/builtin-tools.ts";
import { structuredOutputTool } from "./tools/structured-output-tool.ts";
import { sessionFolder } from "./transcript/paths.ts";
import { FolderTrust } from "./trust/folder-trust.ts";
import { keepConsent } from "./trust/keep-consent.ts";
import { version } from "./version.ts";

// An answer without a tool call does without them.
const decideWithSuggestions = onFirstCall(async () => (await import("./permissions/suggest.ts")).decideWithSuggestions);
const judgeIn = onFirstCall(async () => (await import("./permissions/judge.ts")).judgeIn);
const readFilter = onFirstCall(async () => (await import("./permissions/read-access.ts")).readFilter);

/**
 * An engine for one conversation, from options: reads the settings, opens or resumes the session, and puts the parts
 * together. Nothing is sent and no process is started before the first turn.
 *
 * @throws PawlError that names the option, what is wrong with it and how to fix it: `bad_option`, `rule_invalid`,
 * `unknown_model`, `missing_key`, `scenario_invalid`, `session_not_found`, `session_in_use`, `session_newer`, `settings_invalid`.
 */
export async function createEngine(options: EngineOptions = {}): Promise<QueryEngine> {
  const { home, files, cwd, configHome, trust, layerOptions, settings, outer, env, commandShell, builtin, followed } =
    await groundOf(options);
  refuseUnconfined(settings);
  const { permissions, directories } = followed.current();
  const outputTool = options.outputSchema === undefined ? undefined : structuredOutputTool(options.outputSchema);
  const offered = offeredTools(builtin, options, permissions.rules.deny, outputTool);
  const outputRetries = wholeNumber(env, "MAX_STRUCTURED_OUTPUT_RETRIES") ?? MAX_STRUCTURED_OUTPUT_RETRIES;

  const entrypoint = options.entrypoint ?? "sdk-ts";
  const request = { options, configHome, cwd, version, entrypoint };
  const found = await findOrPlaceSession(request);
  const outputFolder = join(configHome, "tasks", found.place.sessionId);
  const shell = localShell({
    env,
    ...given("shellPath", envVar(env, "SHELL")),
    stateFolder: join(configHome, "shell"),
    cleanPath: (path) => trust.environment({ PATH: path }).env["PATH"],
    outputFolder,
  });
  const lastModel = found.loaded?.lastModel;
  const models = await sessionModels({ options, env, settings, lastModel, cwd, home, files, shell });

  const readState = createFileStateCache();
  const stored = found.loaded?.state;
  const storedMode = stored?.mode === undefined ? undefined : permissionModeNamed(stored.mode);
  const { refusals, mode, notices: modeNotices } = sessionModes(options, settings, permissions.mode, storedMode);
  const toolSearch = toolSearchMode(envVar(env, "ENABLE_TOOL_SEARCH") ?? env["ENABLE_TOOL_SEARCH"]);
  const retryBaseMs = wholeNumber(env, "RETRY_BASE_MS");
  const taskList = sharedTasks(env, configHome, files);
  // Last of what can be refused: from here on the session is locked until the engine is closed.
  const { store, initial } = await openSession(found, request, files, readState);
  const search = { cwd, home, configHome, roots: directories };
  const readsInstructions = options.settingSources?.includes("project") ?? true;

  const notices = [
    ...settings.warnings,
    ...outer.warnings,
    ...followed.current().notices,
    ...modeNotices,
    ...offered.notices,
    ...models.notices,
    ...damageNotices(found.loaded),
  ];
  const instructions = async () => {
    if (!readsInstructions) return [];
    const { files: found, warnings } = await findInstructionFiles(search);
    notices.push(...warnings);
    return found;
  };

  const planPath = join(await files.realPath(configHome), "plans", `${store.sessionId}.md`);
  const permissionContext = (state: AppState, files: WorkspaceFiles): PermissionContext => ({
    mode: state.mode,
    isBypassAvailable: refusals.bypassPermissions === undefined,
    rules: withChanges(followed.current().permissions.rules, state.ruleChanges ?? []),
    cwd: state.cwd,
    startCwd: cwd,
    directories: state.directories,
    readableDirectories: [planPath, outputFolder, ...(store.path === null ? [] : [sessionFolder(store.path)])],
    planPath,
    home,
    configHome,
    ...given("shell", commandShell),
    gitPrograms: (folder) => trust.gitPrograms(folder),
    files,
  });
  const appState = appStateStore({
    mode,
    ruleChanges: keptOnResume(stored?.parts.get(RULES_PART)),
    cwd: await startCwd(stored?.cwd, cwd, directories, files),
    directories,
    parts: Object.fromEntries(stored?.parts ?? []),
  });
  const config: EngineConfig = {
    sessionId: store.sessionId,
    cwd,
    version,
    source: entrypoint === "cli" ? "main" : "sdk",
    apiKeySource: models.apiKeySource,
    model: models.main,
    resolveModel: models.resolver.resolve,
    closeModels: models.resolver.close,
    fallbackModels: models.fallbacks,
    ...given("smallModel", models.small),
    ...given("refreshCredentials", models.refreshCredentials),
    ...given("onKeyWait", models.onKeyWait),
    tools: offered.tools,
    toolSearch,
    commands: builtinCommands,
    systemPrompt: (tools) =>
      buildSystemPrompt({
        ...given("customPrompt", options.systemPrompt),
        ...given("appendPrompt", options.appendSystemPrompt),
        tools: tools.map((tool) => tool.name),
        systemContext: {},
      }),
    userContext: async () =>
      userContextText({
        cwd,
        additionalDirectories: directories.slice(1),
        platform: process.platform,
        date: new Date().toISOString().slice(0, 10),
        instructionFiles: await instructions(),
      }),
    decide: ({ tool, input, touches, isReadOnly, files }, state) =>
      decideWithSuggestions(
        { tool: tool.name, input, touches, isReadOnly },
        inThisPlatform(permissionContext(state, files)),
      ),
    readFilter: (folder, state) => readFilter(folder, permissionContext(state, files)),
    ...given("canUseTool", options.canUseTool),
    ...given("classify", options.classify),
    modeRefusals: refusals,
    savePermissions: (update) =>
      keepConsent({ ...layerOptions, env: options.env ?? process.env, files, now: Date.now }, () =>
        savePermissions(update, layerOptions),
      ),
    beginTurn: async () => {
      const before = followed.current().directories;
      notices.push(...(await followed.refresh()));
      const now = followed.current();
      shell.setEnvironment(now.env);
      appState.set((state) => withDirectories(state, before, now.directories));
    },
    appState,
    store,
    planPath,
    ...given("taskList", taskList),
    files,
    shell,
    readState,
    ...given("initial", initial),
    notices,
    ...models.retrying,
    ...given("retryBaseMs", retryBaseMs),
    ...given("unattendedUntil", options.unattendedMs && Date.now() + options.unattendedMs),
    ...given("thinking", options.thinking),
    ...given("maxTurns", options.maxTurns),
    ...given("maxBudgetUsd", options.maxBudgetUsd),
    ...given("taskBudget", options.taskBudget),
    ...given("maxDurationMs", options.maxDurationMs),
    ...given("maxToolCalls", options.maxToolCalls),
    ...given("structuredOutput", outputTool && { toolName: outputTool.name, maxRetries: outputRetries }),
    toolUseSummaries: options.toolUseSummaries ?? envVar(env, "EMIT_TOOL_USE_SUMMARIES") === "1",
    includePartialMessages: options.includePartialMessages ?? false,
    replayUserMessages: options.replayUserMessages ?? false,
    durable: options.durable ?? false,
    ...given("signal", options.abortController?.signal),
    clock: { now: Date.now, uuid: () => randomUUID() as Uuid, sleep: abortableSleep, random: Math.random },
  };
  // Not waited for: closing the engine does.
  void shell.tidy().then((ended) => {
    if (ended > 0) notices.push(`Processes that a killed session had left running were ended: ${ended}.`);
  });
  return new QueryEngine(config);
}

/** What everything else stands on: the places, the folder's trust, and the settings as they are let in. */
async function groundOf(options: EngineOptions) {
  checkOptions(options);
  const home = homeOf(options.env ?? process.env);
  const files = localFiles();
  const cwd = await workingDirectory("cwd", options.cwd ?? process.cwd(), files);
  const configHome = configHomeOf(options.env ?? process.env, home);
  const places = { cwd, home, configHome };
  const trust = await folderTrust(options, places, files);
  const layerOptions = await settingsOptions(options, places, options.env ?? process.env);
  const settingsStore = await openSettings(layerOptions, (layers) => trust.admit(layers));
  const settings = settingsStore.current();
  const outer = trust.environment(options.env ?? process.env);
  const env = withSettings(outer.env, settings);
  const commandShell = shellName(findShell(envVar(env, "SHELL"), env));

  const builtin = builtinTools({ ...toolSettings(env), lsp: { servers: lspServers(settings) } });
  const toolNames = [...builtin, ...(options.customTools ?? [])].map((tool) => tool.name);
  const followed = await followSettings(settingsStore, { options, toolNames, outerEnv: outer.env, cwd, files });
  return { home, files, cwd, configHome, trust, layerOptions, settings, outer, env, commandShell, builtin, followed };
}

/**
 * How a session with these options would decide about calls: by the settings of the folder as far as it is trusted, and the
 * options. No session is opened, nothing is sent, written or started.
 *
 * @throws PawlError as `createEngine` does.
 */
export async function permissionJudge(options: EngineOptions = {}): Promise<PermissionJudge> {
  const { home, files, cwd, configHome, trust, settings, outer, commandShell, builtin, followed } =
    await groundOf(options);
  const { permissions, directories, notices } = followed.current();
  const modes = sessionModes(options, settings, permissions.mode, undefined);
  const context: PermissionContext = {
    mode: modes.mode,
    isBypassAvailable: modes.refusals.bypassPermissions === undefined,
    rules: permissions.rules,
    cwd,
    startCwd: cwd,
    directories,
    home,
    configHome,
    ...given("shell", commandShell),
    gitPrograms: (folder) => trust.gitPrograms(folder),
    files,
  };
  const told = [...settings.warnings, ...outer.warnings, ...notices, ...modes.notices];
  return judgeIn(inThisPlatform(context), told, [...builtin, ...(options.customTools ?? [])]);
}

const checkCall = onFirstCall(async () => (await import("./permissions/check.ts")).checkPermission);
let checkedTools: ReturnType<typeof builtinTools> | undefined;

/**
 * Judges a call that is only described, by rules that come with it: `{tool, input, rules, rules_source, mode, cwd, home,
 * additionalDirectories, platform, shell, readOnlyRoot}`. Nothing runs; the disk, or the tree at `readOnlyRoot`, is only
 * looked at for links and for what is there. Never throws: whatever cannot be judged is denied, with `error`.
 */
export function checkPermission(value: unknown): Promise<CheckAnswer> {
  checkedTools ??= builtinTools();
  return checkCall(value, checkedTools);
}

/** A property that is there only when it has a value. */
function given<const Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

const folderTrust = (
  { settingSources, trustFolder, askTrust, abortController, env = process.env }: EngineOptions,
  places: { cwd: string; home: string; configHome: string },
  files: WorkspaceFiles,
): Promise<FolderTrust> =>
  FolderTrust.open({
    ...places,
    env,
    files,
    trusts: trustFolder ?? false,
    ...given("sources", settingSources),
    ...given("ask", askTrust),
    ...given("signal", abortController?.signal),
    now: Date.now,
  });
