import { expect, test } from "vitest";
import { createTasks, MAX_RUNNING_TASKS, type Task, type TaskEnd, type TaskWork } from "./tasks.ts";

const never = new AbortController().signal;

function registry() {
  const told: string[] = [];
  const tasks = createTasks({
    now: () => 1_000,
    started: ({ id }) => told.push(`${id} started`),
    ended: ({ id, status }, isAwaited) => told.push(`${id} ${status}${isAwaited ? ", awaited" : ""}`),
  });
  return { tasks, told };
}

/** Work that ends when it is told to, or stopped. */
function work(id: string): TaskWork & { end(end: TaskEnd): void } {
  let end: (end: TaskEnd) => void = () => {};
  const ended = new Promise<TaskEnd>((resolve) => {
    end = resolve;
  });
  const stop = () => end({ status: "failed", summary: "was ended by a signal" });
  return { id, type: "local_bash", description: id, ended, stop, end };
}

const good: TaskEnd = { status: "completed", summary: "done", exitCode: 0 };

test("a task is listed from its start on, and what became of it after its end", async () => {
  const { tasks, told } = registry();
  const one = work("one");
  tasks.start(one);
  expect(tasks.get("one")).toMatchObject({ status: "running", startedAt: 1_000 });
  one.end(good);
  expect(await tasks.wait("one", 5_000, never)).toMatchObject({ status: "completed", endedAt: 1_000, end: good });
  expect(told).toEqual(["one started", "one completed, awaited"]);
});

test("an end that nobody waits for is told as such; a wait that was over before does not count", async () => {
  const { tasks, told } = registry();
  const one = work("one");
  tasks.start(one);
  expect((await tasks.wait("one", 10, never))?.status).toBe("running");
  expect((await tasks.wait("one", 60_000, AbortSignal.abort()))?.status).toBe("running");
  one.end(good);
  await tasks.settled(5_000, never);
  expect(told).toEqual(["one started", "one completed"]);
});

test("a task that is stopped is stopped, however its work ends; stopping it again changes nothing", async () => {
  const { tasks, told } = registry();
  tasks.start(work("one"));
  const stopped = await tasks.stop("one");
  expect(stopped).toMatchObject({ status: "stopped", end: { status: "stopped" } });
  expect(await tasks.stop("one")).toEqual(stopped);
  expect(await tasks.stop("none")).toBeUndefined();
  expect(told).toEqual(["one started", "one stopped, awaited"]);
});

test("so many run and no more; of those that ended the newest are remembered", async () => {
  const { tasks } = registry();
  const all: (TaskWork & { end(end: TaskEnd): void })[] = [];
  for (let index = 0; index < MAX_RUNNING_TASKS; index++) {
    expect(tasks.hasRoom()).toBe(true);
    all.push(work(`task${index}`));
    tasks.start(all[index] as TaskWork);
  }
  expect(tasks.hasRoom()).toBe(false);
  for (const each of all) each.end(good);
  await tasks.settled(5_000, never);
  expect(tasks.hasRoom()).toBe(true);
  for (let index = 0; index < 250; index++) {
    const one = work(`later${index}`);
    tasks.start(one);
    one.end(good);
    await tasks.wait(`later${index}`, 5_000, never);
  }
  const listed: readonly Task[] = tasks.list();
  expect([listed.length, listed.at(-1)?.id, tasks.get("task0")]).toEqual([200, "later249", undefined]);
});

test("ids are not given twice", () => {
  const { tasks } = registry();
  expect(new Set(Array.from({ length: 1_000 }, tasks.newId)).size).toBe(1_000);
});
