import { pngOf } from "../../src/messages/media/image.test-data.ts";

/** Healthy histories and what can happen to them, from a seed: the same seed gives the same history. */

type Random = {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  chance(percent: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
};

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick: (items) => {
      const [picked] = items.slice(below(items.length)).entries();
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked[1];
    },
  };
}

type LooseBlock = { type: string; [field: string]: unknown };
type LooseMessage = { role: string; content: string | LooseBlock[]; [field: string]: unknown };

const image = (width: number, height: number): LooseBlock => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data: pngOf(width, height) },
});

const WORDS = ["read", "the file", "naïve", "日本", "🎉", "a\nb", "fix it"];

/** A history that keeps every rule. Ends with the user, with a whole answer, or with open calls. */
export function healthyHistory(random: Random): LooseMessage[] {
  const messages: LooseMessage[] = [];
  const turns = random.below(4);
  let count = 0;
  const uuid = () => `uuid-${count++}`;
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: "user", content: prompt(random), uuid: uuid() });
    if (turn === turns - 1 && random.chance(20)) break;
    for (let round = random.below(3); round > 0; round -= 1) {
      const uses = toolUses(random, count);
      messages.push({ role: "assistant", content: [...thoughts(random), ...said(random), ...uses], uuid: uuid() });
      if (turn === turns - 1 && round === 1 && random.chance(20)) return messages;
      messages.push({
        role: "user",
        content: [...uses.map((use) => resultOf(use, random)), ...queued(random)],
        uuid: uuid(),
      });
    }
    messages.push({
      role: "assistant",
      content: [...thoughts(random), text(random)],
      uuid: uuid(),
      id: `msg_${count}`,
    });
  }
  return messages;
}

const text = (random: Random): LooseBlock => ({ type: "text", text: random.pick(WORDS) });

function prompt(random: Random): string | LooseBlock[] {
  if (random.chance(50)) return random.pick(WORDS);
  return random.chance(20) ? [image(640, 480), text(random)] : [text(random)];
}

function thoughts(random: Random): LooseBlock[] {
  if (random.chance(60)) return [];
  if (random.chance(20)) return [{ type: "redacted_thinking", data: "sealed" }];
  return [{ type: "thinking", thinking: random.pick(["", "hm"]), signature: "c2ln" }];
}

function said(random: Random): LooseBlock[] {
  const blocks = random.chance(50) ? [text(random)] : [];
  if (random.chance(10)) blocks.push({ type: "text", text: "quoted", citations: [{ cited_text: "x" }] });
  if (random.chance(10)) {
    blocks.push({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} });
    blocks.push({ type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] });
  }
  return blocks;
}

function toolUses(random: Random, count: number): LooseBlock[] {
  const uses = 1 + random.below(3);
  return Array.from({ length: uses }, (_, index) => ({
    type: "tool_use",
    id: `toolu_${count}_${index}`,
    name: random.pick(["Read", "Bash", "mcp__files__list"]),
    input: { path: random.pick(WORDS) },
  }));
}

function resultOf(use: LooseBlock, random: Random): LooseBlock {
  const content = random.pick<unknown>(["done", [{ type: "text", text: "two lines" }], [image(20, 20)]]);
  return { type: "tool_result", tool_use_id: use["id"], content, ...(random.chance(20) ? { is_error: true } : {}) };
}

const queued = (random: Random): LooseBlock[] => (random.chance(20) ? [text(random)] : []);

/** What became of a history on its way: up to six damages, one on top of the other. */
export function damagedHistory(seed: number): { messages: unknown; damages: string[] } {
  const random = randomFrom(seed);
  const messages = healthyHistory(random);
  const damages: string[] = [];
  for (let left = 1 + random.below(6); left > 0; left -= 1) {
    const [name, damage] = random.pick(Object.entries(DAMAGES));
    damage(messages as unknown[], random);
    damages.push(name);
  }
  return { messages: random.chance(1) ? random.pick<unknown>([null, undefined, 7, "text", {}]) : messages, damages };
}

type Damage = (messages: unknown[], random: Random) => void;

const anyBlock = (change: (block: LooseBlock, random: Random, content: unknown[]) => void): Damage => {
  return (messages, random) => {
    const lists = contentLists(messages);
    if (lists.length === 0) return;
    const list = random.pick(lists);
    const block = list[random.below(list.length)];
    if (isLoose(block)) change(block, random, list);
  };
};

const blockOf = (type: string, change: (block: LooseBlock, random: Random) => void): Damage => {
  return (messages, random) => {
    const blocks = contentLists(messages).flat().filter(isLoose);
    const wanted = blocks.filter((block) => block.type === type);
    if (wanted.length > 0) change(random.pick(wanted), random);
  };
};

const isLoose = (value: unknown): value is LooseBlock => typeof value === "object" && value !== null && "type" in value;

const contentLists = (messages: unknown[]): unknown[][] =>
  messages.flatMap((message) => {
    const content = isMessage(message) ? message.content : undefined;
    return Array.isArray(content) && content.length > 0 ? [content] : [];
  });

const isMessage = (value: unknown): value is LooseMessage =>
  typeof value === "object" && value !== null && "content" in value;

const anyMessage = (change: (message: LooseMessage, random: Random) => void): Damage => {
  return (messages, random) => {
    const whole = messages.filter(isMessage);
    if (whole.length > 0) change(random.pick(whole), random);
  };
};

const LONE_SURROGATE = "\ud83d half";
const strange = (): readonly unknown[] => [
  null,
  undefined,
  3,
  "bare",
  "",
  [],
  [1],
  {},
  { text: "lost" },
  { type: 4 },
  5n,
];

const DAMAGES: Record<string, Damage> = {
  "a message is lost": (messages, random) => messages.splice(random.below(messages.length + 1), 1),
  "the start is lost": (messages, random) => messages.splice(0, random.below(3)),
  "the end is lost": (messages, random) => messages.splice(messages.length - random.below(3)),
  "a message comes twice": (messages, random) => {
    const at = random.below(messages.length + 1);
    messages.splice(at, 0, ...structuredClone(messages.slice(at, at + 1)));
  },
  "two messages change places": (messages, random) => {
    const at = random.below(messages.length);
    messages.splice(at, 2, ...messages.slice(at, at + 2).reverse());
  },
  "a message is no message": (messages, random) =>
    messages.splice(random.below(messages.length + 1), 0, random.pick(strange())),
  "a prompt slips in": (messages, random) =>
    messages.splice(random.below(messages.length + 1), 0, {
      role: "user",
      content: "go on",
      isMeta: random.chance(50),
    }),
  "an empty answer slips in": (messages, random) =>
    messages.splice(random.below(messages.length + 1), 0, {
      role: "assistant",
      content: random.pick<unknown>([[], "", null]),
    }),
  "a paused answer slips in": (messages, random) =>
    messages.splice(random.below(messages.length + 1), 0, {
      role: "assistant",
      content: [{ type: "server_tool_use", id: "srvtoolu_9", name: "web_search", input: {} }],
      stop_reason: "pause_turn",
    }),
  "a role is another": anyMessage((message, random) => {
    message.role = random.pick(["user", "assistant", "system", ""]);
  }),
  "an answer is of some model": anyMessage((message, random) => {
    message["model"] = random.pick<unknown>(["claude-haiku-4-5-20251001", "claude-opus-5", "<synthetic>", 3]);
  }),
  "a content is none": anyMessage((message, random) => {
    Object.assign(message, { content: random.pick(strange()) });
  }),
  "a block is lost": anyBlock((block, _random, content) => content.splice(content.indexOf(block), 1)),
  "a block comes twice": anyBlock((block, _random, content) => content.push(block)),
  "a block moves to the end": anyBlock((block, _random, content) =>
    content.push(...content.splice(content.indexOf(block), 1)),
  ),
  "a block moves elsewhere": (messages, random) => {
    const lists = contentLists(messages);
    if (lists.length > 0) random.pick(lists).push(...random.pick(lists).splice(0, 1));
  },
  "a block is no block": anyBlock((_block, random, content) =>
    content.splice(random.below(content.length), 1, random.pick(strange())),
  ),
  "a text is blank": blockOf("text", (block, random) => {
    block["text"] = random.pick<unknown>(["", "\n\n", " ", undefined, 4]);
  }),
  "a text is cut in an emoji": blockOf("text", (block) => {
    block["text"] = LONE_SURROGATE;
  }),
  "a thought is cut": blockOf("thinking", (block, random) => {
    block["signature"] = random.pick<unknown>(["", undefined, LONE_SURROGATE]);
  }),
  "only the thought is left": anyMessage((message) => {
    message.content = [{ type: "thinking", thinking: "hm", signature: "c2ln" }];
  }),
  "a sealed thought is lost": blockOf("redacted_thinking", (block) => {
    block["data"] = "";
  }),
  "a call has a bad id": blockOf("tool_use", (block, random) => {
    block["id"] = random.pick<unknown>(["", "with space", "é", 3, null, undefined, LONE_SURROGATE, "toolu_1_0"]);
  }),
  "a call has a bad name": blockOf("tool_use", (block, random) => {
    block["name"] = random.pick<unknown>(["", "a b", "x".repeat(200), null]);
  }),
  "a call has a bad input": blockOf("tool_use", (block, random) => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    block["input"] = random.pick<unknown>([
      undefined,
      "",
      '{"a":1}',
      "{",
      [1],
      3,
      { a: LONE_SURROGATE },
      cycle,
      { a: 5n },
    ]);
  }),
  "a result has a bad content": blockOf("tool_result", (block, random) => {
    block["content"] = random.pick<unknown>([
      undefined,
      "",
      "\n",
      [],
      [3],
      [{ type: "resource_link" }],
      {},
      9,
      [image(9000, 1)],
    ]);
  }),
  "a result has a bad flag": blockOf("tool_result", (block) => {
    block["is_error"] = "yes";
  }),
  "a result is another's": blockOf("tool_result", (block, random) => {
    block["tool_use_id"] = random.pick<unknown>(["toolu_0_0", "toolu_none", undefined, 3]);
  }),
  "a server tool's result is lost": blockOf("web_search_tool_result", (block) => {
    block["tool_use_id"] = "srvtoolu_none";
  }),
  "an image is damaged": blockOf("image", (block, random) => {
    const data = random.pick(["", "AAAA", "no base64!", pngOf(9000, 10), pngOf(10, 10)]);
    block["source"] = random.pick<unknown>([
      { type: "base64", media_type: "image/gif", data },
      null,
      { type: "base64" },
    ]);
  }),
  "many images, one of them large": anyMessage((message) => {
    if (message.role === "user")
      message.content = [...Array.from({ length: 20 }, () => image(10, 10)), image(2200, 300)];
  }),
  "all is marked for the cache": (messages) => {
    for (const block of contentLists(messages).flat())
      if (isLoose(block)) block["cache_control"] = { type: "ephemeral" };
  },
  "a deep block": anyMessage((message) => {
    let deep: unknown = "end";
    for (let level = 0; level < 400; level += 1) deep = { deep };
    if (Array.isArray(message.content)) message.content.push({ type: "new_kind", deep });
  }),
  "a block holds itself": anyBlock((block) => {
    block["self"] = block;
  }),
};
