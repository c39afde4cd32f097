import { expect, test } from "vitest";
import { projectFolderName, sessionFile } from "./paths.ts";

test("every character but letters and digits becomes a dash", () => {
  expect(projectFolderName("/home/me/my.app")).toBe("-home-me-my-app");
  expect(projectFolderName("/w/a_b c")).toBe("-w-a-b-c");
});

test("composed and decomposed accents give the same folder", () => {
  expect(projectFolderName("/w/cafe\u0301")).toBe(projectFolderName("/w/caf\u00e9"));
  expect(projectFolderName("/w/caf\u00e9")).toBe("-w-caf-");
});

test("a long path is cut at 200 characters and told apart by a hash of the whole", () => {
  const path = `/${"a".repeat(300)}`;
  const name = projectFolderName(path);
  expect(name).toMatch(/^-a{199}-[0-9a-z]+$/);
  expect(projectFolderName(`${path}b`)).not.toBe(name);
  expect(projectFolderName(`/${"a".repeat(199)}`)).toBe(`-${"a".repeat(199)}`);
});

test("the hash of a long path is the public one", () => {
  // h = h * 31 + c over 32 bits, absolute, base 36, worked out by hand for a path of one repeated letter.
  let hash = 0n;
  for (const char of `/${"b".repeat(250)}`) hash = BigInt.asIntN(32, hash * 31n + BigInt(char.charCodeAt(0)));
  const expected = (hash < 0n ? -hash : hash).toString(36);
  expect(projectFolderName(`/${"b".repeat(250)}`)).toBe(`-${"b".repeat(199)}-${expected}`);
});

test("a session's file lies under the config home, and its id must be a UUID", () => {
  const id = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
  expect(sessionFile("/home/me/.pawl", "/w", id)).toBe(`/home/me/.pawl/projects/-w/${id}.jsonl`);
  expect(() => sessionFile("/h", "/w", "../../etc/passwd")).toThrow(
    /session id "\.\.\/\.\.\/etc\/passwd" is not a UUID; give one such as/,
  );
});
