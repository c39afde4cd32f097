import { expect, test } from "vitest";
import { textOf } from "../messages/message.ts";
import { ask, reply, user } from "../testing/conversation.ts";
import { resolveScripted } from "./resolve.ts";

test("scripted:FILE gives a model that answers from the file's text", async () => {
  const read = async (path: string) => `{"version": 1, "steps": [{"answer": [{"text": "from ${path}"}]}]}`;
  const model = await resolveScripted("scripted:plays/a.json", read);

  expect(textOf(reply(await ask(model, [user("a")])).content)).toBe("from plays/a.json");
});

test("a file that cannot be read, a bad scenario and a missing name are refused with the fix", async () => {
  const missing = async (path: string) => Promise.reject(new Error(`ENOENT: no such file, open '${path}'`));

  await expect(resolveScripted("scripted:a.yaml", missing)).rejects.toMatchObject({
    code: "scenario_invalid",
    message:
      "scripted:a.yaml: the scenario cannot be read: ENOENT: no such file, open 'a.yaml'; give the path of a YAML or JSON file",
  });
  await expect(resolveScripted("scripted:a.yaml", async () => "steps: 1")).rejects.toThrow(
    /^a.yaml: not a valid scenario/,
  );
  await expect(resolveScripted("scripted:", missing)).rejects.toThrow(/write scripted:FILE/);
});
