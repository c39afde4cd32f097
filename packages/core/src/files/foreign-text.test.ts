import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { decodeForeign, encodeForeign, type TextEncoding } from "./foreign-text.ts";
import { requireKnownEncoding } from "./known-encoding.ts";

const path = "/w/a.txt";
const decode = (bytes: Buffer) => decodeForeign(path, bytes);

/** Short texts as they stand in source code. */
const samples: [encoding: TextEncoding, texts: string[]][] = [
  [
    "iso-8859-1",
    [
      "naïve = café;\n",
      "// Überprüfung der Eingabe\nint x = 1;\n",
      "el niño comió años\n",
      "x = 1; // é\n",
      "© 2020 Müller & Söhne\n",
      "année créée à Noël, où ça être âgé\n",
      "é",
    ],
  ],
  ["windows-1252", ["It’s “quoted” – text\n", "price: 5 €\n"]],
  [
    "gbk",
    [
      "你好\n",
      "// 初始化配置文件\nint main() { return 0; }\n",
      "中文注释：这里是一个测试\n",
      "错误：找不到文件\n",
      "用户名或密码错误",
    ],
  ],
  ["shift_jis", ["日本語\n", "// 設定ファイルを読み込む\nint main() {}\n", "これはテストです。\n", "東京", "テスト"]],
  ["euc-jp", ["// 設定ファイルを読み込む\nint main() {}\n", "これはテストです。\n", "テスト"]],
  [
    "euc-kr",
    [
      "안녕하세요\n",
      "// 설정 파일을 읽는다\n",
      "이것은 테스트입니다. 한국어 문장\n",
      "오류: 파일을 찾을 수 없습니다\n",
    ],
  ],
  ["big5", ["你好\n", "// 初始化設定檔案\n", "這裡是一個測試，中文註解\n", "錯誤"]],
  ["windows-1251", ["Привет, мир\n", "// Загрузка файла настроек\n"]],
  ["koi8-r", ["Привет, мир\n", "// Загрузка файла настроек\n"]],
  ["utf-16le", ["plain\n", "日本 語\n"]],
  ["utf-16be", ["plain\n", "日本 語\n"]],
];

test.each(samples)("%s is told from short texts, and comes back byte for byte", async (encoding, texts) => {
  for (const text of texts) {
    const bytes = iconv.encode(text, encoding);
    const decoded = await decode(bytes);
    expect(decoded).toMatchObject({ text, hasBom: false, encoding });
    expect(await encodeForeign(path, decoded)).toEqual(bytes);
  }
});

test("a character that only the wider encoding has tells it", async () => {
  const bytes = iconv.encode("中文注释，少见的字：𠀀 和 한국\n", "gb18030");
  const decoded = await decode(bytes);
  expect([decoded.encoding, decoded.text]).toEqual(["gb18030", "中文注释，少见的字：𠀀 和 한국\n"]);
});

test("the byte order mark of UTF-16 is kept and not shown", async () => {
  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    const bytes = await encodeForeign(path, { text: "a 中\n", hasBom: true, encoding });
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from(encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff]));
    expect(await decode(bytes)).toEqual({ text: "a 中\n", hasBom: true, encoding });
  }
});

describe("bytes that are no character", () => {
  const shown = (text: string) => text.toWellFormed();

  test("in UTF-8 they are kept, and all else is UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from("\uFEFFÄrger übel, größer\n"),
      Buffer.from([0x61, 0xe9, 0x62]),
      Buffer.from("\nÖl\n"),
    ]);
    const decoded = await decode(bytes);
    expect([decoded.encoding, decoded.hasBom, shown(decoded.text)]).toEqual([
      "utf-8",
      true,
      "Ärger übel, größer\na\uFFFDb\nÖl\n",
    ]);
    expect(await encodeForeign(path, decoded)).toEqual(bytes);
    const edited = { ...decoded, text: decoded.text.replace("Öl", "中") };
    expect(await encodeForeign(path, edited)).toEqual(
      Buffer.from(bytes.toString("latin1").replace("Ã\x96l", "ä¸\xad"), "latin1"),
    );
  });

  test("of several bytes for one character each stays the one it was", async () => {
    // 0x8790 and 0x81E0 are both ≒.
    const bytes = Buffer.concat([
      iconv.encode("これはテストです。\n", "shift_jis"),
      Buffer.from([0x87, 0x90, 0x0a, 0x81, 0xe0, 0x0a]),
    ]);
    const decoded = await decode(bytes);
    expect(decoded.encoding).toBe("shift_jis");
    expect(shown(decoded.text)).toBe("これはテストです。\n\uFFFD\uFFFD\n≒\n");
    expect(await encodeForeign(path, decoded)).toEqual(bytes);
  });

  test("a text that would run together with one into another character is refused", async () => {
    const bytes = Buffer.concat([iconv.encode("中文注释：这里是一个测试\n", "gbk"), Buffer.from([0xc4, 0x0a])]);
    const decoded = await decode(bytes);
    const edited = { ...decoded, text: `${decoded.text.slice(0, -1)}~\n` };
    await expect(encodeForeign(path, edited)).rejects.toMatchObject({ code: "file_encoding" });
  });
});

test.each<[TextEncoding, string, string]>([
  ["iso-8859-1", "5 €", '"€" (U+20AC, line 2)'],
  ["windows-1252", "中", '"中" (U+4E2D, line 2)'],
  ["gbk", "a 😀", '"😀" (U+1F600, line 2)'],
  ["shift_jis", "é", '"é" (U+00E9, line 2)'],
  ["euc-kr", "😀", '"😀" (U+1F600, line 2)'],
  ["big5", "한", '"한" (U+D55C, line 2)'],
  ["shift_jis", "¥", '"¥" (U+00A5, line 2)'],
])("%s has no bytes for %s: refused, with the first such character", async (encoding, text, named) => {
  const refusal = encodeForeign(path, { text: `ok\n${text}`, hasBom: false, encoding });
  await expect(refusal).rejects.toMatchObject({ code: "file_encoding", message: expect.stringContaining(named) });
});

test("to a file with too little text to tell its encoding only ASCII is added", async () => {
  const decoded = await decode(iconv.encode("東京", "euc-jp"));
  expect(decoded.doubt).toBeDefined();
  expect(() => requireKnownEncoding(path, decoded, "x = 1;\n")).not.toThrow();
  expect(() => requireKnownEncoding(path, decoded, "中")).toThrow("too little text to tell");
  const longer = await decode(iconv.encode("// 設定ファイルを読み込む\n", "euc-jp"));
  expect(() => requireKnownEncoding(path, longer, "中")).not.toThrow();
});
