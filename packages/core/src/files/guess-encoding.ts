import { PawlError } from "../lib/error.ts";
import {
  big5,
  eucJp,
  eucKr,
  gbk,
  koi8,
  type ReadCharacter,
  shiftJis,
  utf8,
  windows1251,
  windows1252,
} from "./character-zones.ts";

/** Encodings that bytes alone can be taken for; `utf-8` with bytes in it that are not. */
export type GuessedEncoding =
  | "utf-8"
  | "windows-1252"
  | "gbk"
  | "shift_jis"
  | "euc-jp"
  | "euc-kr"
  | "big5"
  | "windows-1251"
  | "koi8-r";

export const readCharacterOf: Readonly<Record<GuessedEncoding, ReadCharacter>> = {
  "utf-8": utf8,
  "windows-1252": windows1252,
  gbk,
  shift_jis: shiftJis,
  "euc-jp": eucJp,
  "euc-kr": eucKr,
  big5,
  "windows-1251": windows1251,
  "koi8-r": koi8,
};

/** The characters that a text in these languages is most likely to hold. */
const commonCharacters: Partial<Readonly<Record<GuessedEncoding, string>>> = {
  gbk: "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运测试注释文件配置默认值函数返回错误参数读取写入检查请输",
  big5: "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活測試註釋檔案設定預設值函數回傳錯誤參數讀取寫入檢查請輸這裡",
  "euc-kr":
    "이다는을의에가고하지로은도를기사해한리어인시자서안정대수그나보일스아부과게장만전여제요상니세으구들있라원조주것성무러면때우내했습까녕오마공신국소동당년계관선물문미비생유중치위지와간개며적없터모같음경설파실테트입력출값함반환오류인자확인",
};

/** Their share of a text, for each of some hundred. */
const COMMON_LIKELIHOOD = 0.15 / 300;
/** Any ASCII character, in every encoding. */
const ASCII_LIKELIHOOD = 0.6 / 96;
/** A byte that stands for no character: it takes much to be believed. */
const BROKEN_LIKELIHOOD = 1e-6;
/** So many bytes that are not ASCII say enough. */
const MAX_JUDGED_BYTES = 8_000;

/** `doubt`: another one that is not much less likely, where there is too little text to tell. */
type Guess = { encoding: GuessedEncoding; doubt?: GuessedEncoding };

type Encode = (text: string, encoding: GuessedEncoding) => Uint8Array;

/** The encoding that `bytes` are most likely in. `encode` gives the bytes of a text in one of them. */
export function guessEncoding(bytes: Uint8Array, encode: Encode): Guess {
  const sample = bytes.subarray(0, judgedLength(bytes));
  const scored = guessable.map((encoding) => {
    const common = commonPairs(encoding, encode);
    return { encoding, score: scoreOf(sample, readCharacterOf[encoding], common) };
  });
  const [best, second] = scored.toSorted((a, b) => b.score - a.score);
  if (best === undefined || second === undefined) throw new PawlError("internal", "No encoding to guess from.");
  const isSure = best.score - second.score > Math.log(SURE_RATIO);
  return isSure ? { encoding: best.encoding } : { encoding: best.encoding, doubt: second.encoding };
}

/** A guess that is so many times as likely as the next one is taken for sure. */
const SURE_RATIO = 100;

// `readCharacterOf` names every one of them, and no other.
const guessable = Object.keys(readCharacterOf) as GuessedEncoding[];

/** The same bytes are judged for all encodings. */
function judgedLength(bytes: Uint8Array): number {
  let judged = 0;
  const end = bytes.findIndex((byte) => byte >= 0x80 && ++judged > MAX_JUDGED_BYTES);
  return end === -1 ? bytes.length : end;
}

const pairAt = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** The same for every file, so made once. */
const knownPairs = new Map<GuessedEncoding, ReadonlySet<number>>();

function commonPairs(encoding: GuessedEncoding, encode: Encode): ReadonlySet<number> {
  const known = knownPairs.get(encoding);
  if (known !== undefined) return known;
  const bytes = encode(commonCharacters[encoding] ?? "", encoding);
  const pairs = new Set<number>();
  for (let at = 0; at < bytes.length; at += 2) pairs.add(pairAt(bytes, at));
  knownPairs.set(encoding, pairs);
  return pairs;
}

const ASCII_SCORE = Math.log(ASCII_LIKELIHOOD);

/** The logarithm of how likely the bytes are in an ordinary text of the encoding. */
function scoreOf(bytes: Uint8Array, readCharacter: ReadCharacter, common: ReadonlySet<number>): number {
  let score = 0;
  for (let at = 0; at < bytes.length; ) {
    if ((bytes[at] ?? 0) < 0x80) {
      score += ASCII_SCORE;
      at++;
      continue;
    }
    const character = readCharacter(bytes, at);
    const isCommon = character?.bytes === 2 && common.has(pairAt(bytes, at));
    score += Math.log(isCommon ? COMMON_LIKELIHOOD : (character?.likelihood ?? BROKEN_LIKELIHOOD));
    at += character?.bytes ?? 1;
  }
  return score;
}
