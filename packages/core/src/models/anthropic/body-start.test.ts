import { describe, expect, test } from "vitest";
import { BodyStart } from "./body-start.ts";

const part = (text: string) => ({ text });
const textOf = ({ text }: { text: string }) => text;

describe("the kept beginning of a conversation's bodies", () => {
  test("grows by what is new, and each part is written once", () => {
    const parts = ["a", "ü", "😀"].map(part);
    const start = new BodyStart("head:");
    const written: string[] = [];
    const write = (each: { text: string }) => {
      written.push(each.text);
      return each.text;
    };

    const texts = [1, 2, 3].map((count) => start.upTo(parts.slice(0, count), write).toString());

    expect(texts).toEqual(["head:a", "head:aü", "head:aü😀"]);
    expect(written).toEqual(["a", "ü", "😀"]);
  });

  test("what was given out stays as it is while it grows past its room", () => {
    const parts = Array.from({ length: 40 }, (_, n) => part(String(n % 10).repeat(5_000)));
    const start = new BodyStart("");
    const given = parts.map((_, at) => start.upTo(parts.slice(0, at + 1), textOf));

    expect(given.map(String)).toEqual(
      parts.map((_, at) =>
        parts
          .slice(0, at + 1)
          .map(textOf)
          .join(""),
      ),
    );
  });

  test("begins no body with another head, other parts or fewer of them", () => {
    const [first, second, third] = [part("1"), part("2"), part("3")];
    const start = new BodyStart("head");
    start.upTo([first, second], textOf);

    expect(start.begins("head", [first, second, third])).toBe(true);
    expect(start.begins("other", [first, second])).toBe(false);
    expect(start.begins("head", [first, part("2")])).toBe(false);
    expect(start.begins("head", [first])).toBe(false);
  });
});
