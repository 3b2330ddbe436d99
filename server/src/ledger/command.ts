/**
 * A money command is a request that moves money and can share a transaction with others of its environment. Its kind
 * works on many inputs at a time: it plans (claims references, moves states), the ledger posts, it writes.
 */
import type { Tx } from "../platform/database/database.ts";
import type { Problem } from "../platform/problem.ts";
import type { Posting } from "./post.ts";

/** What a command turns out to be once its claims are known. `record` is what the later steps need to know of it. */
export type Plan<Output, Record> =
  | {
      readonly next: "post";
      readonly posting: Posting;
      /** Posted right after it, as statement lines of their own. Neither may ever lack funds. */
      readonly also?: readonly Posting[];
      readonly record: Record;
    }
  /** Nothing to post: the answer is known. */
  | { readonly next: "answer"; readonly output: Output }
  | { readonly next: "refuse"; readonly problem: Problem };

/** All functions answer in the order of what they are given. */
export interface CommandKind<Input, Output, Record> {
  /** Kinds are worked through by name, so that two batches take their locks in the same order. */
  readonly name: string;
  /** Before the ledger: claims references, moves states by compare-and-set, says what to post. */
  plan(tx: Tx, inputs: readonly Input[]): Promise<readonly Plan<Output, Record>[]>;
  /** After the ledger: takes back the claims of commands that lacked funds. */
  withdraw?(tx: Tx, records: readonly Record[]): Promise<void>;
  /** After the ledger: writes rows, events and jobs of the commands that were posted. List counters come last. */
  write(tx: Tx, records: readonly Record[]): Promise<readonly Output[]>;
}

/** A step that moves no money, but is taken for many records of an environment at a time, in turn with what does. */
export function plainStep<Input, Output>(
  name: string,
  take: (tx: Tx, inputs: readonly Input[]) => Promise<readonly Output[]>,
): CommandKind<Input, Output, never> {
  return {
    name,
    plan: async (tx, inputs) => (await take(tx, inputs)).map((output) => ({ next: "answer", output })),
    write: async () => [],
  };
}
