/** Waiting for the bank: until it has orders, and until nobody has anything left to do. */
import type { Bank, BankBooks } from "./bank.ts";
import { letTimePass } from "./let-time-pass.ts";

const patienceMs = 240_000;
const longestRoundMs = 8_000;

/** Waits until the bank was given some orders: a worker that has not got anywhere cannot be interrupted. */
export async function untilSent(bank: Bank, orders: number): Promise<void> {
  const deadline = performance.now() + longestRoundMs;
  const sentSoFar = async () => (await bank.tell({ is: "look" })).sent.length;
  const wanted = (await sentSoFar()) + orders;
  while ((await sentSoFar()) < wanted && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The bank behaves, time goes by, and what was sent meanwhile is decided too, until nobody has anything left. */
export async function comeToRest(bank: Bank, ownerUrl: string): Promise<{ open: number; books: BankBooks }> {
  let books = await bank.tell({ is: "rest" });
  for (;;) {
    const open = await letTimePass(ownerUrl, patienceMs);
    const before = books.transfers.length;
    books = await bank.tell({ is: "quiet" });
    if (open > 0 || books.transfers.length === before) {
      return { open: open > 0 ? open : await letTimePass(ownerUrl, patienceMs), books };
    }
  }
}
