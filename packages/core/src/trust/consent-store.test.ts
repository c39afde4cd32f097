import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { consentStore } from "./consent-store.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "pawl-consents-"));
});
afterEach(() => rm(home, { recursive: true }));

const folder = (mainRoot: string, start = ".") => ({ mainRoot, start });
const answer = (items: Record<string, string>) => ({ by: "answer" as const, items });

test("a consent is remembered by folder and start directory, and can be listed and revoked", async () => {
  const store = consentStore(home);
  expect(await store.list()).toEqual([]);
  expect(await store.read("/b")).toEqual({ folder: "/b", starts: {} });

  await store.write(folder("/b"), answer({ x: "1" }), 0);
  await store.write(folder("/b", "packages/app"), answer({ y: "2" }), 1_000);
  await store.write(folder("/a"), { by: "own_writes", items: {} }, 0);

  const first = { at: "1970-01-01T00:00:00.000Z", by: "answer", items: { x: "1" } };
  const second = { at: "1970-01-01T00:00:01.000Z", by: "answer", items: { y: "2" } };
  expect(await store.read("/b")).toEqual({ folder: "/b", starts: { ".": first, "packages/app": second } });
  expect((await store.list()).map((consent) => consent.folder)).toEqual(["/a", "/b"]);

  expect(await store.revoke("/b")).toBe(true);
  expect(await store.revoke("/b")).toBe(false);
  expect((await store.list()).map((consent) => consent.folder)).toEqual(["/a"]);
});

test("a start directory with any name is one", async () => {
  const store = consentStore(home);
  await store.write(folder("/a", "__proto__"), answer({ "x y": "1" }), 0);
  expect(Object.entries((await store.read("/a")).starts)).toEqual([
    ["__proto__", { at: expect.any(String), ...answer({ "x y": "1" }) }],
  ]);
});

test.each(["{", "[]", '{"version": 2}', '{"version": 1, "folder": "/other", "starts": {".": {"items": {}}}}', "\0"])(
  "a file that says %j is no consent",
  async (text) => {
    const store = consentStore(home);
    await store.write(folder("/a"), answer({}), 0);
    const [name = ""] = await readdir(join(home, "trust"));
    await writeFile(join(home, "trust", name), text);

    expect(await store.read("/a")).toEqual({ folder: "/a", starts: {} });
  },
);

test("several that consent at once to start directories of one folder lose none of them", async () => {
  const starts = Array.from({ length: 16 }, (_, at) => `packages/${at}`);
  await Promise.all(starts.map((start) => consentStore(home).write(folder("/a", start), answer({ x: start }), 0)));

  expect(Object.keys((await consentStore(home).read("/a")).starts).sort()).toEqual(starts.sort());
  expect(await readdir(join(home, "trust"))).toHaveLength(1);
});

test("many that write at once leave whole files", async () => {
  const folders = Array.from({ length: 40 }, (_, at) => `/folder${at % 8}`);
  await Promise.all(folders.map((each, at) => consentStore(home).write(folder(each), answer({ x: String(at) }), at)));

  expect(await consentStore(home).list()).toHaveLength(8);
});
