import { describe, expect, test } from "vitest";
import { asked, change, compacted, rewound, said, seen } from "../../test/support/conversation-lines.ts";

describe("a rewind", () => {
  const history = [asked("u", null), said("m", "u"), asked("v", "m"), said("n", "v")];
  const first = [
    ["user", "u"],
    ["assistant", "m"],
  ];

  test("to a prompt goes back to before it; to an answer, to after it", () => {
    expect(seen([...history, rewound("v")])).toEqual(first);
    expect(seen([...history, rewound("m")])).toEqual(first);
    expect(seen([...history, rewound("u")])).toEqual([]);
  });

  test("is followed by what was written after it", () => {
    expect(seen([...history, rewound("v"), asked("w", "m")])).toEqual([...first, ["user", "w"]]);
    expect(seen([...history, rewound("u"), asked("w", null)])).toEqual([["user", "w"]]);
  });

  test("of the files leaves the conversation", () => {
    expect(seen([...history, rewound("v", { scope: "files" })])).toEqual(seen(history));
  });

  test("takes back what changed the projection since, and its undoing brings all of it back", () => {
    const cleared = [...history, change("clear", []), asked("w", null), said("o", "w")];

    expect(seen([...cleared, rewound("v")])).toEqual(first);
    expect(seen([...cleared, rewound("v"), rewound("o", { undoOf: "plan" })])).toEqual([
      ["user", "w"],
      ["assistant", "o"],
    ]);
  });

  test("goes back behind a compaction", () => {
    expect(seen([...history, compacted("s", "n"), asked("w", "s"), rewound("v")])).toEqual(first);
  });
});
