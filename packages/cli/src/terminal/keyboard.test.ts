import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { type Key, Keyboard } from "./keyboard.ts";

class Input extends EventEmitter {
  readonly modes: boolean[] = [];
  setRawMode(isRaw: boolean): void {
    this.modes.push(isRaw);
  }
  resume(): void {}
  pause(): void {}
  type(text: string): void {
    this.emit("data", Buffer.from(text));
  }
}

async function typed(...chunks: (string | "wait")[]): Promise<Key[]> {
  const input = new Input();
  const keyboard = new Keyboard(input);
  await keyboard.open();
  for (const chunk of chunks) {
    if (chunk === "wait") await new Promise((resolve) => setTimeout(resolve, 80));
    else input.type(chunk);
  }
  input.emit("end");
  const keys: Key[] = [];
  while (keys.at(-1)?.type !== "interrupt") {
    const next = await keyboard.next();
    if (next !== "withdrawn") keys.push(...next);
  }
  keyboard.close();
  expect(input.modes).toEqual([true, false]);
  expect(input.listenerCount("data")).toBe(0);
  return keys.slice(0, -1);
}

test.each<[string, string[], Key[]]>([
  ["a key", ["y"], [{ type: "text", text: "y" }]],
  ["keys of their own", ["a\r\x7f"], [{ type: "text", text: "a" }, { type: "enter" }, { type: "backspace" }]],
  ["letters of more than one byte", ["é✓"], [{ type: "text", text: "é✓" }]],
  ["an escape", ["\x1b", "wait"], [{ type: "escape" }]],
  ["an arrow is nothing", ["\x1b[A", "wait"], []],
  ["nor is one that is cut", ["\x1b", "[", "A", "\x1b[", "1;5", "C", "\x1bO", "A", "wait"], []],
  ["nor a letter with Alt", ["\x1b", "a", "\x1by", "wait"], []],
  ["an arrow before a key and after it", ["\x1b[Ay\x1b[B"], [{ type: "text", text: "y" }]],
  ["other controls are nothing", ["\x00\x01\t"], []],
])("%s", async (_, chunks, keys) => {
  expect(await typed(...chunks)).toEqual(keys);
});

test("what came before it was open is dropped, and bytes that no letter was made of yet", async () => {
  const input = new Input();
  const keyboard = new Keyboard(input);
  const opened = keyboard.open();
  input.type("y\r");
  await opened;
  const next = keyboard.next();
  input.emit("data", Buffer.from([0xc3]));
  input.emit("data", Buffer.from([0xa9]));
  expect(await next).toEqual([{ type: "text", text: "é" }]);
  keyboard.close();
});

test("an abort ends the wait for a key", async () => {
  const keyboard = new Keyboard(new Input());
  await keyboard.open();
  const controller = new AbortController();
  const next = keyboard.next(controller.signal);
  controller.abort();
  expect(await next).toBe("withdrawn");
  expect(await keyboard.next(controller.signal)).toBe("withdrawn");
  keyboard.close();
});
