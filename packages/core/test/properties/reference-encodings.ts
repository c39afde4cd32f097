/** How a character of a test's text lies in bytes: by the platform's own decoder, never by the code under test. */
export type ReferenceEncoding = {
  name: string;
  /** Characters of the language that is written in it. */
  letters: readonly string[];
  bytesOf(character: string): Buffer | undefined;
  textOf(bytes: Buffer): string;
  /** Whether a file may begin with a byte order mark. */
  hasBom: boolean;
};

const simplified =
  "的一是不了在人有我他这中来上大为和国地到说时要就出会可也你对生能而子那得于着下自年过发后作里用道行所然家事成方多经去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活";
const traditional =
  "的一是不了在人有我他這中來上大為和國地到說時要就出會可也你對生能而子那得於著下自年過發後作裡用道行所然家事成方多經去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲";
const japanese =
  "これはテストですのにをがとものでたしているあるからまでなりますせんよかきくけさそちつぬねひふへほみむめやゆらるれろわン設定読込日本語東京漢字文章入力出力確認変更追加削除ファイルデータ";
const korean =
  "이다는을의에가고하지로은도를기사해한리어인시자서안정대수그나보일스아부과게장만전여제요상니세으구들있라원조주것성무러면때우내했습까녕오마공신국소동당년계관선물문미비생유중치위";
const western = "éèàçñüöäßêîôûáíóúÄÖÜ";
const cyrillic = "абвгдежзийклмнопрстуфхцчшщыьэюяАБВГДЕ";

export const encodings: readonly ReferenceEncoding[] = [
  decoded("gbk", simplified),
  decoded("big5", traditional),
  decoded("shift_jis", japanese),
  decoded("euc-jp", japanese),
  decoded("euc-kr", korean),
  decoded("windows-1251", cyrillic),
  decoded("koi8-r", cyrillic),
  // Every byte of it up to U+00FF is the character of that number.
  {
    name: "iso-8859-1",
    letters: [...western],
    bytesOf: (character) =>
      character.charCodeAt(0) < 256 && character.length === 1 ? Buffer.from(character, "latin1") : undefined,
    textOf: (bytes) => bytes.toString("latin1"),
    hasBom: false,
  },
  wide("utf-16le", (bytes) => bytes),
  wide("utf-16be", (bytes) => Buffer.from(bytes).swap16()),
  {
    name: "utf-8",
    letters: [...western, ...simplified.slice(0, 20), ..."“”‘’\u00a0", "e\u0301", "👩‍💻", "😀"],
    bytesOf: (character) => Buffer.from(character),
    textOf: (bytes) => bytes.toString(),
    hasBom: true,
  },
];

function wide(name: string, swapped: (bytes: Buffer) => Buffer): ReferenceEncoding {
  return {
    name,
    letters: [...western, ...japanese, "😀"],
    bytesOf: (character) => swapped(Buffer.from(character, "utf16le")),
    textOf: (bytes) => swapped(bytes).toString("utf16le"),
    hasBom: true,
  };
}

/** What each pair of bytes, and each byte, is decoded to, turned round. */
function decoded(name: string, letters: string): ReferenceEncoding {
  const decoder = new TextDecoder(name, { fatal: true });
  const textOf = (bytes: Uint8Array) => decoder.decode(bytes);
  const known = new Map<string, Buffer>();
  const learn = (...bytes: number[]) => {
    try {
      const character = textOf(Buffer.from(bytes));
      if ([...character].length === 1 && !known.has(character)) known.set(character, Buffer.from(bytes));
    } catch {
      // no character
    }
  };
  for (let first = 0; first < 256; first++) learn(first);
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) learn(first, second);
  const inIt = [...letters].filter((letter) => known.has(letter));
  return { name, letters: inIt, bytesOf: (character) => known.get(character), textOf, hasBom: false };
}
