import { expect, test } from "vitest";
import { createShortTurns } from "./short-turns.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for so many pieces, and tells which of them were done. */
function ask(count: number, atOnce: number) {
  const turn = createShortTurns(atOnce);
  const done: number[] = [];
  const pieces = Array.from({ length: count }, (_, place) => turn().then(() => done.push(place)));
  return { turn, done, pieces };
}

test("a few pieces are done at once", async () => {
  const { done, pieces } = ask(3, 4);
  await Promise.all(pieces);
  expect(done).toEqual([0, 1, 2]);
});

test("many are done a few in each turn, in order, and all of them", async () => {
  const { done, pieces } = ask(10, 4);
  await Promise.resolve();
  expect(done).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await Promise.all(pieces);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("who asks later does not pass those who wait", async () => {
  const { turn, done, pieces } = ask(6, 2);
  await nextTurn();
  const late = turn().then(() => done.push(99));
  await Promise.all([...pieces, late]);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 99]);
});

test("a turn that has nothing to do makes room for the next ones", async () => {
  const { turn, pieces } = ask(2, 2);
  await Promise.all(pieces);
  await nextTurn();
  await nextTurn();
  let isDone = false;
  void turn().then(() => {
    isDone = true;
  });
  await Promise.resolve();
  expect(isDone).toBe(true);
});
