import { expect, test } from "vitest";
import { editJson, type JsonEdit } from "./edit-json.ts";

const text = '{\n\t"b": 1.0,\n\t"permissions": { "allow": ["Read", "Edit"], "deny": [] },\n\t"a": [\n\t\t1\n\t]\n}\n';

test.each<[string, string, JsonEdit[], string]>([
  ["a value in its place", text, [{ path: ["b"], value: "x" }], text.replace("1.0", '"x"')],
  [
    "an item at the end of a list on one line",
    text,
    [{ path: ["permissions", "allow"], append: ["Bash(x)", "B"] }],
    text.replace('"Edit"', '"Edit", "Bash(x)", "B"'),
  ],
  ["an item on a line of its own", text, [{ path: ["a"], append: [2] }], text.replace("\t\t1\n", "\t\t1,\n\t\t2\n")],
  [
    "the first item",
    text,
    [{ path: ["permissions", "deny"], append: ["X"] }],
    text.replace('"deny": []', '"deny": [\n\t\t\t"X"\n\t\t]'),
  ],
  [
    "a new key",
    text,
    [{ path: ["c", "d"], value: true }],
    text.replace("\n\t]\n}", '\n\t],\n\t"c": {\n\t\t"d": true\n\t}\n}'),
  ],
  ["the first key", text, [{ path: ["b"], value: undefined }], text.replace('"b": 1.0,\n\t', "")],
  ["the last key", text, [{ path: ["a"], value: undefined }], text.replace(',\n\t"a": [\n\t\t1\n\t]', "")],
  ["a key that stands there twice", '{"x": 1, "y": 2, "x": 3}', [{ path: ["x"], value: undefined }], '{"y": 2}'],
  [
    "the only key of an object",
    '{\n    "model": "opus",\n    "permissions": {\n        "deny": ["X"]\n    },\n    "ours": 1.0\n}\n',
    [{ path: ["permissions", "deny"], value: undefined }],
    '{\n    "model": "opus",\n    "permissions": {},\n    "ours": 1.0\n}\n',
  ],
  [
    "the only key that stands there twice",
    '\uFEFF{\r\n "x": 1,\r\n "x": 3\r\n}\r\n',
    [{ path: ["x"], value: undefined }],
    "\uFEFF{}\r\n",
  ],
  ["what is not there", text, [{ path: ["permissions", "ask"], value: undefined }], text],
  ["a key of what is no object", '{"env": 1}', [{ path: ["env", "A"], value: "1" }], '{"env": {\n    "A": "1"\n  }}'],
  ["an empty file", "", [{ path: ["model"], value: "opus" }], '{\n  "model": "opus"\n}\n'],
  [
    "lines that end as on Windows",
    '{\r\n  "a": 1\r\n}',
    [{ path: ["b"], value: [1] }],
    '{\r\n  "a": 1,\r\n  "b": [\r\n    1\r\n  ]\r\n}',
  ],
  ["a key of any name", "{}", [{ path: ["__proto__", "a"], value: 1 }], '{\n  "__proto__": {\n    "a": 1\n  }\n}'],
])("%s is changed and the rest stays as it is written", (_what, before, edits, after) => {
  expect(editJson(before, edits)).toBe(after);
});
