import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, place } from "./engine-harness.ts";

test("the user is called by a frame, without a question", async () => {
  await using at = await place();
  const model = scriptedModel([uses("PushNotification", { message: "The build\nis done." }), says("Told.")]);
  const { frames, result } = await oneTurn({ ...at.options, model });
  expect(frames).toContainEqual(
    expect.objectContaining({
      ...{ type: "system", subtype: "notification", text: "The build is done.", priority: "high" },
    }),
  );
  expect(result.permission_denials).toEqual([]);
});
