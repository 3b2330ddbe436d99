import { expect, test } from "vitest";
import { bookTogether } from "./book-together.ts";

interface Order {
  readonly key: string;
  readonly tries: number;
}

/** Books whose batches end when they are told to. */
function openBooks() {
  const batches: { readonly sandbox: string; readonly keys: readonly string[] }[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const book = bookTogether<Order, string>({
    connections: 2,
    keyOf: ({ key }) => key,
    book: (sandbox, orders) => {
      batches.push({ sandbox, keys: orders.map(({ key }) => key) });
      return new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve(orders.map(({ key }) => `booked ${key}`)) : reject(error)));
      });
    },
  });
  const order = (sandbox: string, key: string) => book(sandbox, { key, tries: 1 });
  const end = async (error?: Error): Promise<void> => {
    ends.shift()?.(error);
    await turn();
  };
  return { batches, order, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("orders that arrive while the books are busy are booked together, in the order of their keys", async () => {
  const { batches, order, end } = openBooks();
  const first = order("one", "m");
  await turn();
  const others = [order("one", "z"), order("one", "a"), order("one", "k")];
  await turn();
  expect(batches).toEqual([{ sandbox: "one", keys: ["m"] }]);
  await end();
  expect(batches[1]).toEqual({ sandbox: "one", keys: ["a", "k", "z"] });
  await end();
  expect(await Promise.all([first, ...others])).toEqual(["booked m", "booked z", "booked a", "booked k"]);
});

test("a second order under the same key is booked after the first", async () => {
  const { batches, order, end } = openBooks();
  const twins = [order("one", "a"), order("one", "a"), order("one", "b")];
  await turn();
  expect(batches).toEqual([{ sandbox: "one", keys: ["a", "b"] }]);
  await end();
  await turn();
  expect(batches[1]).toEqual({ sandbox: "one", keys: ["a"] });
  await end();
  expect(await Promise.all(twins)).toEqual(["booked a", "booked a", "booked b"]);
});

test("a sandbox does not wait for another one's batch, and what could not be booked harms nobody else", async () => {
  const { batches, order, end } = openBooks();
  const [lost, other] = [order("one", "a"), order("two", "b")];
  await turn();
  expect(batches.map(({ sandbox }) => sandbox)).toEqual(["one", "two"]);
  const refused = expect(lost).rejects.toThrow("the books are closed");
  await end(new Error("the books are closed"));
  await end();
  await refused;
  expect(await other).toBe("booked b");
  const again = order("one", "a");
  await turn();
  await end();
  expect(await again).toBe("booked a");
});
