import { expect, test } from "vitest";
import { withoutNulRedirects } from "./nul-redirect.ts";

test.each([
  ["dir 2>nul", "dir 2>/dev/null"],
  ["dir > NUL 2>&1", "dir > /dev/null 2>&1"],
  ["a >>nul; b &>nul && c 2>nul|d", "a >>/dev/null; b &>/dev/null && c 2>/dev/null|d"],
  ["(dir 2>nul)", "(dir 2>/dev/null)"],
])("B27: a redirection to the null device of Windows goes to that of this shell: %s", (command, expected) => {
  expect(withoutNulRedirects(command)).toBe(expected);
});

test.each([
  "echo '2>nul'",
  'echo "x >nul"',
  "echo x \\>nul",
  "echo x >nul.txt",
  "echo x >./nul",
  "echo x > null",
  "echo nul",
  "cat <<EOF\n2>nul\nEOF",
  "[[ a > nul ]]",
])("and what is none stays: %s", (command) => {
  expect(withoutNulRedirects(command)).toBe(command);
});
