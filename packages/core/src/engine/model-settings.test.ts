import { expect, test } from "vitest";
import { mergeLayers } from "../settings/merge-layers.ts";
import { modelSettings } from "./model-settings.ts";

const stored = (value: object) => mergeLayers([{ source: "userSettings", place: "settings.json", value }]);
const none = stored({});

test("each deadline has a variable, which wins over the settings", () => {
  const settings = stored({ timeouts: { connectMs: 1, headersMs: 2, stallMs: 3, answerMs: 4 } });
  const env = { PAWL_STALL_TIMEOUT_MS: "30000", CLAUDE_CODE_ANSWER_TIMEOUT_MS: "40000" };

  expect(modelSettings({}, none)).toEqual({ deadlines: {}, fallbackNames: [], notices: [] });
  expect(modelSettings({}, settings).deadlines).toEqual({
    connectMs: 1,
    headersMs: 2,
    firstContentMs: 3,
    contentGapMs: 3,
    wholeAnswerMs: 4,
  });
  expect(modelSettings(env, settings).deadlines).toEqual({
    connectMs: 1,
    headersMs: 2,
    firstContentMs: 30_000,
    contentGapMs: 30_000,
    wholeAnswerMs: 40_000,
  });
});

test.each(["0", "-1", "soon", "1.5", "2147483648"])("a variable of %j is refused by its name", (value) => {
  expect(() => modelSettings({ PAWL_CONNECT_TIMEOUT_MS: value }, none)).toThrow(
    /^Option PAWL_CONNECT_TIMEOUT_MS is .*; give (a whole number|milliseconds, from 1 to 2147483647)\.$/,
  );
});

test("what cannot be meant in the settings is left out and said", () => {
  const timeouts = { connectMs: "10", stallMs: 0, headersMs: 5, firstByteMs: 1 };

  expect(modelSettings({}, stored({ timeouts, fallbackModel: ["haiku", 3] }))).toEqual({
    deadlines: { headersMs: 5 },
    fallbackNames: ["haiku"],
    notices: [
      'userSettings: timeouts.connectMs is "10" and left out; give milliseconds, from 1 to 2147483647',
      "userSettings: timeouts.stallMs is 0 and left out; give milliseconds, from 1 to 2147483647",
      "userSettings: timeouts.firstByteMs is not known; there are connectMs, headersMs, stallMs, answerMs",
      "userSettings: fallbackModel is left out; write the name of a model, or a list of names",
    ],
  });
  expect(modelSettings({}, stored({ timeouts: 5, fallbackModel: "opus" }))).toEqual({
    deadlines: {},
    fallbackNames: ["opus"],
    notices: ['userSettings: timeouts is left out; write an object, such as {"stallMs": 90000}'],
  });
});
