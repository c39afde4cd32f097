import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { isAbsolute, resolve, sep } from "node:path";
import { type ApiKeyHelper, apiKeyHelper } from "./engine/api-key-helper.ts";
import { appStateStore } from "./engine/app-state.ts";
import { checkOptions, workingDirectory } from "./engine/check-options.ts";
import { builtinCommands } from "./engine/command.ts";
import { fallbackModels } from "./engine/fallback-models.ts";
import { modelSettings } from "./engine/model-settings.ts";
import { offeredTools } from "./engine/offered-tools.ts";
import { findOrPlaceSession, openSession } from "./engine/open-session.ts";
import type { EngineOptions } from "./engine/options.ts";
import { QueryEngine } from "./engine/query-engine.ts";
import type { EngineConfig } from "./engine/session.ts";
import { sessionPermissions } from "./engine/session-permissions.ts";
import { refuseUnpriced } from "./engine/set-model.ts";
import { toolSettings, wholeNumber } from "./engine/tool-settings.ts";
import { createFileStateCache } from "./files/file-state-cache.ts";
import { localFiles } from "./files/local-files.ts";
import type { WorkspaceFiles } from "./files/workspace-files.ts";
import { abortableSleep } from "./lib/abort.ts";
import { findInstructionFiles } from "./memory/instruction-files.ts";
import type { Uuid } from "./messages/message.ts";
import { defaultModelId } from "./models/catalog.ts";
import { apiKeySource, modelResolver, unknownModelNotices } from "./models/resolve.ts";
import { decidePermission } from "./permissions/decide.ts";
import { permissionModeNamed } from "./permissions/mode.ts";
import { buildSystemPrompt } from "./prompt/build-system-prompt.ts";
import { userContextText } from "./prompt/user-context.ts";
import { MAX_STRUCTURED_OUTPUT_RETRIES } from "./query/structured-output.ts";
import { configHome as configHomeOf } from "./settings/config-home.ts";
import { envVar } from "./settings/env-var.ts";
import { mergeLayers } from "./settings/merge-layers.ts";
import { readSettings } from "./settings/read-settings.ts";
import type { Settings } from "./settings/settings.ts";
import { localShell } from "./shell/run.ts";
import { builtinTools } from "./tools/builtin/builtin-tools.ts";
import { structuredOutputTool } from "./tools/structured-output-tool.ts";
import { sessionFolder } from "./transcript/paths.ts";
import type { LoadedSession } from "./transcript/resume.ts";
import { version } from "./version.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A scenario file may be this big. Bytes. */
const MAX_SCENARIO_BYTES = 50 * 1024 * 1024;

/**
 * An engine for one conversation, from options: reads the settings, opens or resumes the session, and puts the parts
 * together. Nothing is sent and no process is started before the first turn.
 *
 * @throws PawlError that names the option, what is wrong with it and how to fix it: `bad_option`, `rule_invalid`,
 * `unknown_model`, `missing_key`, `scenario_invalid`, `session_not_found`, `session_in_use`, `session_newer`.
 */
export async function createEngine(options: EngineOptions = {}): Promise<QueryEngine> {
  checkOptions(options);
  const home = homeOf(options.env ?? process.env);
  const files = localFiles();
  const cwd = await workingDirectory("cwd", options.cwd ?? process.cwd(), files);
  const configHome = configHomeOf(options.env ?? process.env, home);
  const settings = await settingsOf(options, configHome);
  const env = withSettings(options.env ?? process.env, settings);

  const builtin = builtinTools(toolSettings(env));
  const permissions = sessionPermissions(options, settings, [
    ...builtin.map((tool) => tool.name),
    ...(options.customTools ?? []).map((tool) => tool.name),
  ]);
  const outputTool = options.outputSchema === undefined ? undefined : structuredOutputTool(options.outputSchema);
  const offered = offeredTools(builtin, options, permissions.rules.deny, outputTool);
  const outputRetries = wholeNumber(env, "MAX_STRUCTURED_OUTPUT_RETRIES") ?? MAX_STRUCTURED_OUTPUT_RETRIES;
  const directories = await workingDirectories(options, settings, cwd, files);

  const entrypoint = options.entrypoint ?? "sdk-ts";
  const request = { options, configHome, cwd, version, entrypoint };
  const found = await findOrPlaceSession(request);
  const readScenario = async (path: string) => {
    const bounds = { signal: new AbortController().signal, maxBytes: MAX_SCENARIO_BYTES };
    return (await files.readText(resolve(cwd, path), bounds)).text;
  };
  const shell = localShell({ env, ...given("shellPath", envVar(env, "SHELL")) });
  const helper = settings.apiKeyHelper && apiKeyHelper(settings.apiKeyHelper.value, shell, home);
  const { deadlines, fallbackNames, notices: modelNotices } = modelSettings(env, settings);
  const sources = { env, readFile: readScenario, deadlines, ...given("keyHelper", helper?.key) };
  const models = modelResolver(sources);
  const chosen = options.model ?? envVar(env, "MODEL") ?? found.loaded?.lastModel ?? settings.model?.value;
  const model = typeof chosen === "object" ? chosen : await models.resolve(chosen ?? defaultModelId);
  const wantedFallbacks = { options: options.fallbackModels, settings: fallbackNames };
  const fallbacks = await fallbackModels({ main: model, ...wantedFallbacks, resolve: models.resolve });
  refuseUnpriced([model, ...fallbacks.models], options.maxBudgetUsd);

  const readState = createFileStateCache();
  const { store, initial } = await openSession(found, request, files, readState);
  const stored = found.loaded?.state;
  const storedMode = stored?.mode === undefined ? undefined : permissionModeNamed(stored.mode);
  const search = { cwd, home, configHome, roots: directories };
  const readsInstructions = options.settingSources?.includes("project") ?? true;

  const notices = [
    ...settings.warnings,
    ...modelNotices,
    ...permissions.notices,
    ...offered.notices,
    ...[model, ...fallbacks.models].flatMap(unknownModelNotices),
    ...fallbacks.notices,
    ...damageNotices(found.loaded),
  ];
  const instructions = async () => {
    if (!readsInstructions) return [];
    const { files: found, warnings } = await findInstructionFiles(search);
    notices.push(...warnings);
    return found;
  };

  const config: EngineConfig = {
    sessionId: store.sessionId,
    cwd,
    version,
    source: entrypoint === "cli" ? "main" : "sdk",
    apiKeySource: apiKeySource(model, sources),
    model,
    resolveModel: models.resolve,
    closeModels: models.close,
    fallbackModels: fallbacks.models,
    ...given("refreshCredentials", helper && refreshing(helper)),
    tools: offered.tools,
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
    decide: ({ tool, input, touches, isReadOnly }, state) =>
      decidePermission(
        { tool: tool.name, input, touches, isReadOnly },
        {
          mode: state.mode,
          rules: permissions.rules,
          cwd: state.cwd,
          startCwd: cwd,
          directories: state.directories,
          ...(store.path === null ? {} : { readableDirectories: [sessionFolder(store.path)] }),
          home,
          configHome,
          files,
        },
      ),
    ...given("canUseTool", options.canUseTool),
    appState: appStateStore({
      mode: options.permissionMode ?? storedMode ?? permissions.mode ?? "default",
      cwd: await startCwd(stored?.cwd, cwd, directories, files),
      directories,
      parts: Object.fromEntries(stored?.parts ?? []),
    }),
    store,
    files,
    shell,
    readState,
    ...given("initial", initial),
    notices,
    ...given("retryBaseMs", wholeNumber(env, "RETRY_BASE_MS")),
    ...given("unattendedUntil", options.unattendedMs && Date.now() + options.unattendedMs),
    ...given("thinking", options.thinking),
    ...given("maxTurns", options.maxTurns),
    ...given("maxBudgetUsd", options.maxBudgetUsd),
    ...given("taskBudget", options.taskBudget),
    ...given("maxDurationMs", options.maxDurationMs),
    ...given("maxToolCalls", options.maxToolCalls),
    ...given("structuredOutput", outputTool && { toolName: outputTool.name, maxRetries: outputRetries }),
    includePartialMessages: options.includePartialMessages ?? false,
    replayUserMessages: options.replayUserMessages ?? false,
    durable: options.durable ?? false,
    ...given("signal", options.abortController?.signal),
    clock: { now: Date.now, uuid: () => randomUUID() as Uuid, sleep: abortableSleep, random: Math.random },
  };
  return new QueryEngine(config);
}

/** The next request asks the helper again. */
const refreshing = (helper: ApiKeyHelper) => async () => {
  helper.forget();
  return true;
};

/** What of a stored session could not be read is said, not passed over. */
function damageNotices(loaded: LoadedSession | undefined): string[] {
  const [first] = loaded?.problems ?? [];
  if (loaded === undefined) return [];
  if (first === undefined)
    return loaded.messages.length > 0 ? [] : [`${loaded.path}: holds no messages; the session begins anew.`];
  const more = loaded.problems.length > 1 ? `, and ${loaded.problems.length - 1} more` : "";
  return [
    `${loaded.path}:${first.line}: ${first.message}${more}. What can be read is kept: ${loaded.messages.length} messages.`,
  ];
}

/** Where a stored session stood, if that is still one of its folders. */
async function startCwd(
  stored: string | undefined,
  cwd: string,
  directories: readonly string[],
  files: WorkspaceFiles,
): Promise<string> {
  if (stored === undefined || !(await files.stat(stored))?.isDirectory) return cwd;
  const real = await files.realPath(stored);
  return directories.some((directory) => real === directory || real.startsWith(directory + sep)) ? real : cwd;
}

/** A property that is there only when it has a value. */
function given<const Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

/** An empty `HOME` is none: sessions must not end up in the folder that the program happens to stand in. */
function homeOf({ HOME }: Environment): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : userInfo().homedir;
}

async function settingsOf({ settingSources }: EngineOptions, configHome: string): Promise<Settings> {
  const readsUser = settingSources?.includes("user") ?? true;
  return readsUser ? readSettings({ configHome }) : mergeLayers([]);
}

/** The settings' variables over the process's; an empty one takes the variable away. */
function withSettings(env: Environment, settings: Settings): Environment {
  const own = Object.entries(settings.env).map(
    ([name, { value }]) => [name, value === "" ? undefined : value] as const,
  );
  return { ...env, ...Object.fromEntries(own) };
}

/** Real paths of the start directory and the added ones, each once. */
async function workingDirectories(
  options: EngineOptions,
  settings: Settings,
  cwd: string,
  files: WorkspaceFiles,
): Promise<string[]> {
  const added = [
    ...settings.permissions.additionalDirectories.map(({ value }) => value),
    ...(options.additionalDirectories ?? []),
  ];
  const real = await Promise.all(
    added.map((path) => workingDirectory("additionalDirectories", resolve(cwd, path), files)),
  );
  return [...new Set([cwd, ...real])];
}
