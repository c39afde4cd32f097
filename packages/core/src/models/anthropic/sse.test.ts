import { expect, test } from "vitest";
import { SseParser } from "./sse.ts";

function parsed(...pieces: (string | Uint8Array)[]): [name: string, data: string][] {
  const events: [string, string][] = [];
  const parser = new SseParser((data, name) => events.push([name, data]));
  for (const piece of pieces) parser.push(typeof piece === "string" ? Buffer.from(piece) : piece);
  parser.end();
  return events;
}

test("an event has the name and the data of its lines, a blank line ends it", () => {
  expect(parsed("event: a\ndata: 1\n\nevent:b\ndata:2\n\ndata: 3\n\n")).toEqual([
    ["a", "1"],
    ["b", "2"],
    ["", "3"],
  ]);
});

test("data of several lines is joined, blanks at their ends are kept", () => {
  expect(parsed("data: {\ndata:  x  \ndata:\ndata: }\n\n")).toEqual([["", "{\n x  \n\n}"]]);
});

test("comments, other fields and events without data are left out", () => {
  expect(parsed(": hello\nid: 7\nretry: 10\nevent: none\n\ndata: 1\n\n")).toEqual([["", "1"]]);
});

test("lines end in LF, CR LF or CR, also when a piece ends between the two", () => {
  const events = [
    ["a", "1"],
    ["", "2"],
  ];
  expect(parsed("event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n")).toEqual(events);
  expect(parsed("event: a\rdata: 1\r\rdata: 2\r\r")).toEqual(events);
  expect(parsed("event: a\r", "\ndata: 1\r", "\n\r", "\n", "data: 2\r", "\r\n")).toEqual(events);
});

test("a character cut in two is put together, a byte order mark is taken off", () => {
  const bytes = Buffer.from("\ufeffdata: grüße 😀\n\n");
  for (let at = 1; at < bytes.length; at++) {
    expect(parsed(bytes.subarray(0, at), bytes.subarray(at))).toEqual([["", "grüße 😀"]]);
  }
});

test("a last event without its blank line is given at the end", () => {
  expect(parsed("data: 1\n\ndata: 2\n")).toEqual([
    ["", "1"],
    ["", "2"],
  ]);
  expect(parsed("data: 1")).toEqual([["", "1"]]);
  expect(parsed("")).toEqual([]);
});

test("an event without end is refused instead of kept for ever", () => {
  const parser = new SseParser(() => {});
  const megabyte = Buffer.alloc(1024 * 1024, "x");

  expect(() => {
    for (let pieces = 0; pieces < 100; pieces++) parser.push(megabyte);
  }).toThrow("longer than 67108864 characters");
});
