import { expect, test } from "vitest";
import { testContext } from "../../../test/support/file-tool-context.ts";
import { pushNotificationTool } from "./push-notification.ts";

async function pushed(message: string) {
  const context = await testContext();
  const texts: string[] = [];
  const result = await pushNotificationTool.run({ message }, { ...context, notifyUser: (text) => texts.push(text) });
  await context.dispose();
  return { texts, isError: result.isError ?? false };
}

test("a message goes to the user on one line", async () => {
  expect(await pushed(" The build\nis done. ")).toEqual({ texts: ["The build is done."], isError: false });
});

test.each([
  ["", true],
  [" \n ", true],
  ["x".repeat(501), true],
  ["🦊".repeat(500), false],
])("a message of %j is bounded by its characters", async (message, isError) => {
  const result = await pushed(message);
  expect([result.isError, result.texts.length]).toEqual([isError, isError ? 0 : 1]);
});
