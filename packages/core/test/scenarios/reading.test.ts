import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine, tool, violations } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { oneTurn, type Place, place, turn } from "./engine-harness.ts";

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#48c" } })
    .png()
    .toBuffer();

type Model = ReturnType<typeof scriptedModel>;

/** What the model got of its calls, in order, as JSON. */
const resultsOf = (model: Model) =>
  (model.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content)] : [])),
  );

/** All images that the last request held. */
function imagesOf(engine: { messages: { content: unknown }[] }): unknown[] {
  const blocksIn = (value: unknown): unknown[] =>
    Array.isArray(value) ? value.flatMap((each) => [each, ...innerOf(each)]) : [];
  const innerOf = (block: unknown): unknown[] =>
    typeof block === "object" && block !== null && "content" in block ? blocksIn(block.content) : [];
  const isImage = (block: unknown) =>
    typeof block === "object" && block !== null && "type" in block && block.type === "image";
  return engine.messages.flatMap(({ content }) => blocksIn(content)).filter(isImage);
}

describe("files that a rule keeps from being read", () => {
  const rules = ["Read(secrets/**)", "Read(.env)"];
  const files = {
    "open.txt": "needle one\n",
    ".env": "needle KEY=1\n",
    "secrets/deep/key.txt": "needle two\n",
    "sub/.env": "needle KEY=2\n",
  };

  async function calls(at: Place, ...answers: ReturnType<typeof uses>[]): Promise<string[]> {
    const model = scriptedModel([...answers, says("Done.")]);
    await oneTurn({ ...at.options, model, disallowedTools: rules, permissionMode: "bypassPermissions" });
    return resultsOf(model);
  }

  test("are in no result of Grep or Glob, by name, content or count", async () => {
    await using at = await place(files);

    const results = await calls(
      at,
      uses("Grep", { pattern: "needle" }),
      uses("Grep", { pattern: "needle", output_mode: "content" }),
      uses("Grep", { pattern: "needle", output_mode: "count" }),
      uses("Glob", { pattern: "**/*" }),
      uses("Grep", { pattern: "needle", path: "sub" }),
    );

    expect(results).toEqual([
      '"Found 1 file\\nopen.txt"',
      '"open.txt:1:needle one"',
      '"open.txt:1\\n\\n1 matching line in 1 file"',
      '"open.txt"',
      '"No files found"',
    ]);
  });

  test("cannot be searched through a glob, and are not found by a name that looks the same", async () => {
    await using at = await place({ ...files, "secrets/it\u2019s.txt": "needle\n" });

    const results = await calls(
      at,
      uses("Grep", { pattern: "needle", glob: "secrets/**/*.txt" }),
      uses("Glob", { pattern: "secrets/**" }),
      uses("Read", { file_path: at.project.path("secrets/it's.txt") }),
      uses("Read", { file_path: at.project.path(".ENV") }),
    );

    expect(results).toHaveLength(4);
    for (const result of results) expect(result).not.toMatch(/key\.txt|needle|\u2019|KEY=/);
  });
});

describe("B9: images on their way into the conversation", () => {
  test("25 of all sizes, from a tool, the user and files, are in one request that the API takes", async () => {
    await using at = await place();
    await writeFile(at.project.path("tall.png"), await picture(300, 8_100));
    await writeFile(at.project.path("wide.png"), await picture(2_200, 300));
    const shots = await Promise.all(Array.from({ length: 21 }, () => picture(30, 20)));
    const oversized = await picture(8_100, 60);
    const block = (bytes: Buffer) => ({
      type: "image" as const,
      source: { type: "base64" as const, media_type: "image/png", data: bytes.toString("base64") },
    });
    const camera = tool("camera", "Takes pictures.", {}, async () => ({ content: [...shots, oversized].map(block) }), {
      isReadOnly: true,
    });
    const model = scriptedModel([
      uses("camera"),
      uses("Read", { file_path: at.project.path("tall.png") }),
      uses("Read", { file_path: at.project.path("wide.png") }),
      says("Done."),
    ]);
    const engine = await createEngine({
      ...at.options,
      model,
      customTools: [camera],
      permissionMode: "bypassPermissions",
    });

    const { result } = await turn(engine, [block(await picture(3_000, 40)), { type: "text", text: "Look." }]);
    await engine.close();

    expect(result.subtype).toBe("success");
    expect(imagesOf(engine)).toHaveLength(25);
    expect(violations(engine.messages)).toEqual([]);
  });

  test("a mentioned image comes along", async () => {
    await using at = await place();
    await writeFile(at.project.path("a.png"), await picture(30, 20));
    const model = scriptedModel([says("Done.")]);

    await oneTurn({ ...at.options, model }, "What is on @a.png?");

    const [message] = model.requests[0]?.messages ?? [];
    expect(message?.content.map(({ type }) => type).slice(-2)).toEqual(["text", "image"]);
  });

  test("a damaged one from a tool becomes a text and spoils nothing; one from the user is refused before anything is sent", async () => {
    await using at = await place();
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#48c" } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const data = whole.subarray(0, whole.length / 2).toString("base64");
    const image = { type: "image" as const, source: { type: "base64" as const, media_type: "image/png", data } };
    const camera = tool("camera", "Takes pictures.", {}, async () => ({ content: [image] }), { isReadOnly: true });
    const model = scriptedModel([uses("camera"), says("Done.")]);
    const engine = await createEngine({
      ...at.options,
      model,
      customTools: [camera],
      permissionMode: "bypassPermissions",
    });

    const refused = await turn(engine, [image]);
    expect(refused.result).toMatchObject({ subtype: "error_during_execution" });
    expect(JSON.stringify(refused.result)).toContain("The prompt cannot be sent: This image cannot be unpacked");
    expect(model.requests).toEqual([]);

    await turn(engine, "Take one.");
    await engine.close();
    expect(resultsOf(model)[0]).toContain("[image left out, image/png");
    expect(violations(engine.messages)).toEqual([]);
  });

  test("one in input that joins a running turn is scaled too", async () => {
    await using at = await place();
    const data = (await picture(3_000, 40)).toString("base64");
    const model = scriptedModel([uses("Glob", { pattern: "*" }), says("Done.")]);
    const engine = await createEngine({ ...at.options, model });

    engine.enqueue([{ type: "image", source: { type: "base64", media_type: "image/png", data } }]);
    await turn(engine, "Look.");
    await engine.close();

    expect(imagesOf(engine)).toHaveLength(1);
    expect(JSON.stringify(engine.messages)).not.toContain(data);
  });
});

test("of links that lead in a circle the model is told so, and nobody is asked", async () => {
  await using at = await place();
  await symlink("loop", join(at.project.root, "loop"));
  const model = scriptedModel([uses("Read", { file_path: "loop" }), says("A loop.")]);

  await oneTurn({ ...at.options, model });

  expect(resultsOf(model)).toEqual([expect.stringContaining("leads through a loop of symbolic links")]);
  expect(resultsOf(model)[0]).not.toContain("granted");
});
