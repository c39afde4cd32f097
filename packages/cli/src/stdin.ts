import { UsageError } from "./usage-error.ts";

const MAX_BYTES = 10 * 1024 * 1024;
/** With a prompt argument, how long to wait for a first byte: programs often leave a pipe open that they never write to. */
const FIRST_BYTE_WAIT_MS = 3_000;

type Stdin = AsyncIterable<Uint8Array> & { isTTY?: boolean; destroy(): unknown };

/** The prompt: the argument, what is piped in, or the argument and below it what is piped in. */
export async function readPrompt(argument: string, stdin: Stdin, warn: (text: string) => void): Promise<string> {
  if (stdin.isTTY) return required(argument);
  const piped = argument === "" ? await readText(stdin) : await readIfComing(stdin, warn);
  return required(argument !== "" && piped.trim() !== "" ? `${argument}\n\n${piped}` : argument || piped);
}

function required(prompt: string): string {
  if (prompt.trim() !== "") return prompt;
  throw new UsageError('there is no prompt: give one as an argument (pawl -p "…") or on standard input');
}

async function readIfComing(stdin: Stdin, warn: (text: string) => void): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, FIRST_BYTE_WAIT_MS, undefined);
  });
  const chunks = stdin[Symbol.asyncIterator]();
  const first = await Promise.race([chunks.next(), tooLong]);
  clearTimeout(timer);
  if (first === undefined) {
    warn("nothing came on standard input for 3 s: going on without it. Use < /dev/null to say that nothing will come.");
    stdin.destroy();
    return "";
  }
  if (first.done) return "";
  return readText({ [Symbol.asyncIterator]: () => chunks }, [first.value]);
}

async function readText(stdin: AsyncIterable<Uint8Array>, chunks: Uint8Array[] = []): Promise<string> {
  let bytes = chunks.reduce((total, chunk) => total + chunk.length, 0);
  for await (const chunk of stdin) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new UsageError("standard input has more than 10 MB: put it into a file and name the file in the prompt");
    }
    chunks.push(chunk);
  }
  return decodeUtf8(Buffer.concat(chunks), "standard input");
}

/** @throws UsageError when the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${what} is not UTF-8: convert it, for example with iconv -t UTF-8`, { cause: error });
  }
}
