import { describe, expect, test } from "vitest";
import {
  answer,
  hello,
  image,
  repaired,
  repairsOf,
  result,
  text,
  use,
  user,
} from "../../test/support/repaired-messages.ts";
import { jpegOf, pngOf } from "./media/image.test-data.ts";
import { repairMessages } from "./repair.ts";

describe("content", () => {
  test("B6: blank text goes, an empty result says so", () => {
    const history = [hello, answer(text("\n\n"), use("a")), user(result("a", ""), text(""))];

    expect(repaired(history)).toEqual([hello, answer(use("a")), user(result("a", "(no output)"))]);
    expect(repairsOf(history)).toEqual([
      { rule: 3, at: "messages[1].content[0]", did: "dropped: an empty text" },
      { rule: 6, at: "messages[2].content[0]", did: "mended an empty result" },
      { rule: 3, at: "messages[2].content[1]", did: "dropped: an empty text" },
    ]);
  });

  test("B6: an empty answer is dropped and the prompts around it joined; the later one's fields stay", () => {
    const history = [{ ...hello, uuid: "1" }, answer(), { role: "user", content: "Well?", uuid: "2" }];

    expect(repaired(history)).toEqual([{ ...user(text("Hello."), text("Well?")), uuid: "2" }]);
  });

  test("a message that is meta does not hide the one it is joined to", () => {
    const history = [
      { ...hello, uuid: "1" },
      { role: "user", content: "Well?", uuid: "2", isMeta: true },
    ];

    expect(repaired(history)).toEqual([{ ...user(text("Hello."), text("Well?")), uuid: "1" }]);
  });

  test("B8: half an emoji becomes a replacement mark, in a text, an input, a result and a key", () => {
    const history = [
      user(text("cut \ud83d")),
      answer(use("a", { input: { "\udc00": ["\ud83d"] } })),
      user(result("a", [text("\ud83d!")])),
    ];

    expect(repaired(history)).toEqual([
      user(text("cut \ufffd")),
      answer(use("a", { input: { "\ufffd": ["\ufffd"] } })),
      user(result("a", [text("\ufffd!")])),
    ]);
  });

  test("what a tool result may not hold is told as text", () => {
    const link = { type: "resource_link", uri: "file:///a" };

    expect(repaired([hello, answer(use("a")), user(result("a", [link]))])[2]).toEqual(
      user(result("a", [text('{"type":"resource_link","uri":"file:///a"}')])),
    );
  });

  test("blocks of unknown kind go through as they are", () => {
    const strange = { type: "advisor", seen: [1, { deep: true }] };
    const history = [hello, hello, answer(strange)];

    const [, given] = repaired(history);

    expect(given).toBe(history[2]);
  });

  test("what is no message is dropped, and the untouched messages are the same objects", () => {
    const history = [hello, null, 7, answer(text("x")), user(text(" "), text("y"))];

    const given = repaired(history);

    expect(given).toEqual([hello, answer(text("x")), user(text("y"))]);
    expect(given[0]).toBe(history[0]);
    expect(given[1]).toBe(history[3]);
  });

  test.each([null, undefined, 7, "text", {}, [], [null]])(
    "%j is an empty history, and a request that begins",
    (given) => {
      expect(repaired(given)).toEqual([]);
      expect(repaired(given, { as: "request" })).toEqual([user(text("Continue."))]);
    },
  );

  test("a conversation that lost its start is said to have", () => {
    expect(repaired([answer(text("x"))])).toEqual([
      user(text("[The start of this conversation is missing.]")),
      answer(text("x")),
    ]);
  });
});

describe("media", () => {
  test("an image under a wrong name is named right", () => {
    expect(repaired([user(image(jpegOf(9, 9), "image/png"))])).toEqual([user(image(jpegOf(9, 9), "image/jpeg"))]);
  });

  test("B9: what the API would refuse gives way to a text that names it", () => {
    const tooTall = image(pngOf(300, 8100));

    expect(repaired([hello, answer(use("a")), user(result("a", [tooTall]))])[2]).toEqual(
      user(
        result("a", [
          text("[image left out, image/png, 0.0 MB: it is 300 × 8100 pixels, over the limit of 8000 a side]"),
        ]),
      ),
    );
  });

  test("B9: a large image among many gives way, the small ones stay", () => {
    const small = Array.from({ length: 20 }, () => image(pngOf(9, 9)));

    const [first] = repaired([user(...small, image(pngOf(2200, 300)))]);

    expect(first).toEqual(
      user(
        ...small,
        text("[image left out, image/png, 0.0 MB: it is over 2000 pixels a side among more than 20 images]"),
      ),
    );
  });

  test("of too many images the oldest give way", () => {
    const images = Array.from({ length: 101 }, () => image(pngOf(9, 9)));

    const [first] = repaired([user(...images)], { contextTokens: 200_000 });

    expect(first?.content).toEqual([
      text("[image left out, image/png, 0.0 MB: it is one of more than 100]"),
      ...images.slice(1),
    ]);
  });
});

describe("size", () => {
  const MB = 1024 * 1024;

  test("of a body over the limit the oldest media give way first", () => {
    const large = image(pngOf(9, 9).padEnd(5 * MB - 4, "A"));
    const history = [
      user(large, text("x")),
      ...Array.from({ length: 6 }, () => [answer(text("y")), user(large)]).flat(),
    ];

    const given = repaired(history);

    expect(given[0]?.content).toEqual([
      text("[image left out, image/png, 5.0 MB: it made the request too large]"),
      text("x"),
    ]);
    expect(given.slice(1)).toEqual(history.slice(1));
  });

  test("then long texts lose their middle, between whole characters", () => {
    const [first] = repaired([user(text("🎉".repeat(8.5 * MB)))]);

    expect(JSON.stringify(first).length).toBeLessThan(101_000);
  });

  test("then the oldest messages go, never a call from its result", () => {
    const round = (index: number) => [answer(use(`a${index}`)), user(result(`a${index}`, "x".repeat(99_000)))];
    const history = [hello, ...Array.from({ length: 400 }, (_, index) => round(index)).flat()];

    const given = repaired(history);

    expect(given[0]).toEqual(user(text("[The start of this conversation is missing.]")));
    expect(given.at(-1)).toBe(history.at(-1));
    expect(given.length).toBeGreaterThan(600);
  });

  test("of more than four cache marks the last four stay", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const blocks = Array.from({ length: 6 }, (_, index) => ({ ...text(`${index}`), ...mark }));

    expect(repaired([user(...blocks)])).toEqual([user(text("0"), text("1"), ...blocks.slice(2))]);
  });

  test("the time grows with the history, not with its square", () => {
    const broken = (rounds: number) => [
      hello,
      ...Array.from({ length: rounds }, () => [answer(use("a"), use("a")), user(text("x"), result("a"))]).flat(),
    ];
    const timeOf = (rounds: number) => {
      const history = broken(rounds);
      const start = performance.now();
      repairMessages(history);
      return performance.now() - start;
    };
    timeOf(500); // warm

    const short = Math.min(timeOf(500), timeOf(500), timeOf(500));
    const long = Math.min(timeOf(4_000), timeOf(4_000));

    expect(long / short).toBeLessThan(32); // 8 times the rounds; the square would be 64
  });
});
