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
  const settings = stored({ timeouts, fallbackModel: ["haiku", 3, " "] });

  expect(modelSettings({}, settings)).toEqual({
    deadlines: { headersMs: 5 },
    fallbackNames: ["haiku"],
    notices: [],
  });
  expect(settings.warnings).toEqual([
    "settings.json: timeouts.connectMs is a string; write a whole number, such as 10000",
    "settings.json: timeouts.stallMs is 0; write at least 1",
    "settings.json: timeouts.firstByteMs is not known; there are connectMs, headersMs, stallMs, answerMs",
    'settings.json: fallbackModel[1] is a number; write a text, such as "haiku"',
    'settings.json: fallbackModel[2] is empty; write a text, such as "haiku"',
  ]);
  expect(modelSettings({}, stored({ timeouts: 5, fallbackModel: "opus" }))).toEqual({
    deadlines: {},
    fallbackNames: ["opus"],
    notices: [],
  });
});

test("API_TIMEOUT_MS is the time of a request where no variable of its own says more", () => {
  const { deadlines } = modelSettings({ API_TIMEOUT_MS: "700000", PAWL_HEADERS_TIMEOUT_MS: "5000" }, none);

  expect(deadlines).toEqual({ headersMs: 5_000, firstContentMs: 700_000, wholeAnswerMs: 700_000 });
});

test("the number of retries, the life of a key and what is done about broken answers have variables", () => {
  const env = {
    CLAUDE_CODE_MAX_RETRIES: "3",
    CLAUDE_CODE_API_KEY_HELPER_TTL_MS: "1000",
    PAWL_STREAM_CUT_RECOVERY: "retry",
  };

  expect(modelSettings(env, none)).toMatchObject({ maxRetries: 3, keyHelperTtlMs: 1_000, streamCutRecovery: "retry" });
  expect(modelSettings({ PAWL_MAX_RETRIES: "0" }, none).maxRetries).toBe(0);
  expect(modelSettings({ PAWL_MAX_RETRIES: "99" }, none)).toMatchObject({
    maxRetries: 15,
    notices: ["PAWL_MAX_RETRIES is 99; 15, the most there is, is used"],
  });
  expect(modelSettings({}, stored({ streamCutRecovery: "non_stream" })).streamCutRecovery).toBe("non_stream");
  expect(() => modelSettings({ PAWL_STREAM_CUT_RECOVERY: "never" }, none)).toThrow(
    /give one of retry, continue, non_stream/,
  );
});
