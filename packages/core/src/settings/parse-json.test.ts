import { expect, test } from "vitest";
import { PawlError } from "../lib/error.ts";
import { parseJson } from "./parse-json.ts";

test("strict JSON is parsed, also behind a byte order mark", () => {
  expect(parseJson('\uFEFF{"a": [1, -2.5e3, true, null, "\\u00e9"]}', "f")).toEqual({ a: [1, -2500, true, null, "é"] });
});

const comma = "remove the comma before this bracket";
const comment = "comments are not allowed; remove this one";
const early = "it ends too early; close every string, list and object";
const unexpected = (char: string) =>
  `unexpected ${JSON.stringify(char)}; strings and keys need double quotes, and entries a comma between them`;

test.each([
  ['{\n  "a": 1,\n}', "3:1", comma],
  ["[1, 2, ]", "1:8", comma],
  ['{\n  // why\n  "a": 1\n}', "2:3", comment],
  ['{"a": 1 /* why */}', "1:9", comment],
  ['{\n  "a": 1\n  "b": 2\n}', "3:3", unexpected('"')],
  ["{a: 1}", "1:2", unexpected("a")],
  ["{'a': 1}", "1:2", unexpected("'")],
  ['{"a": tru}', "1:7", unexpected("t")],
  ['{"a": 01}', "1:7", unexpected("0")],
  ['{"a" 1}', "1:6", unexpected("1")],
  ['{"a": "x\ty"}', "1:7", unexpected('"')],
  ['{"a": 1}}', "1:9", unexpected("}")],
  ['{"a": 1]', "1:8", unexpected("]")],
  ['{"a": [1, 2', "1:12", early],
  ['{"a": "open', "1:12", early],
  ["", "1:1", early],
])("%j is refused at %s", (text, position, hint) => {
  expect(() => parseJson(text, "/x/settings.json")).toThrow(
    new PawlError("settings_invalid", `/x/settings.json:${position}: not valid JSON: ${hint}`),
  );
});
