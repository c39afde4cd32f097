import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EmulatedTerminal } from "./emulated-terminal.test-data.ts";
import { Screen } from "./screen.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the moving line stands below what stays, is cut to the width, and leaves nothing behind", () => {
  const terminal = new EmulatedTerminal(20);
  const screen = new Screen(terminal, () => "a status that is much too long");
  screen.start();
  screen.line("first");
  vi.advanceTimersByTime(250);

  expect(terminal.shown).toEqual(["first", expect.stringMatching(/^. a status that is…$/)]);

  screen.line("second");
  vi.advanceTimersByTime(250);
  screen.stop();

  expect(terminal.shown).toEqual(["first", "second", ""]);
});

test("while a line of text is open the moving line stays away", () => {
  const terminal = new EmulatedTerminal(20);
  const screen = new Screen(terminal, () => "busy");
  screen.start();
  screen.print("half ");
  vi.advanceTimersByTime(250);
  screen.print("a line");
  vi.advanceTimersByTime(250);
  screen.stop();

  expect(terminal.shown).toEqual(["half a line"]);
});

test("where there is no terminal there is no moving line", () => {
  const written: string[] = [];
  const screen = new Screen({ write: (text) => written.push(text) }, () => "busy");
  screen.start();
  vi.advanceTimersByTime(250);
  screen.stop();

  expect(written).toEqual([]);
});

test("a window that becomes narrower leaves no piece of the moving line", () => {
  const terminal = new EmulatedTerminal(40);
  const screen = new Screen(terminal, () => "a status of thirty characters");
  screen.start();
  screen.line("first");
  vi.advanceTimersByTime(150);
  terminal.resize(12);
  vi.advanceTimersByTime(100);
  terminal.columns = 12;
  vi.advanceTimersByTime(100);
  screen.stop();

  expect(terminal.shown).toEqual(["first", ""]);
});

test("what was shown since a mark is taken back, wrapped lines and the moving line included", () => {
  const terminal = new EmulatedTerminal(10);
  const screen = new Screen(terminal, () => "busy");
  screen.start();
  screen.line("stays");
  const mark = screen.mark();
  screen.print("\x1b[31m0123456789\x1b[39mabcdefghij\n\nhalf");

  expect([screen.takeBack(mark), terminal.shown]).toEqual([true, ["stays", ""]]);

  screen.line("anew");
  vi.advanceTimersByTime(150);
  expect([screen.takeBack(mark), terminal.shown]).toEqual([true, ["stays", ""]]);
  screen.stop();
});

test.each([
  ["is higher than the screen", (screen: Screen) => screen.print("x\n".repeat(6))],
  ["has characters whose width decides where it wraps", (screen: Screen) => screen.print("漢".repeat(6))],
  [
    "was wrapped anew",
    (screen: Screen, terminal: EmulatedTerminal) => {
      screen.print("0123456789");
      terminal.resize(8);
      terminal.columns = 8;
    },
  ],
  ["is not followed any more", (screen: Screen) => screen.print("x".repeat(60_000))],
])("what %s stays", (_what, show) => {
  const terminal = new EmulatedTerminal(10, 6);
  const screen = new Screen(terminal, () => "busy");
  const mark = screen.mark();
  show(screen, terminal);
  const before = terminal.shown;

  expect([screen.takeBack(mark), terminal.shown]).toEqual([false, before]);
});
