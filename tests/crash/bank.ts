/** The campaign's end of the bank that runs beside: it is told what to do, and shows its books. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

/** Where the bank calls us. */
export interface Doors {
  readonly hookUrl: string;
  readonly approvalUrl: string;
}

export type BankCommand =
  | { readonly is: "doors"; readonly doors: Doors }
  /** No more faults; what is open is decided. */
  | { readonly is: "rest" }
  /** Nothing but a look at the books. */
  | { readonly is: "look" }
  /** Whatever came since is decided and told, too. */
  | { readonly is: "quiet" };

export interface BankTransfer {
  readonly reference: string;
  /** The merchant's reference, which came as the narration. */
  readonly order: string;
  /** Kobo, as all that follows. */
  readonly amount: number;
  readonly fee: number;
  readonly status: string;
  /** What the account's ledger has of it in all. */
  readonly moved: number;
}

export interface BankBooks {
  readonly transfers: readonly BankTransfer[];
  /** Every order that arrived, also those that were refused or whose reply was lost. */
  readonly sent: readonly Pick<BankTransfer, "reference" | "order">[];
  /** What the account has lost. */
  readonly spent: number;
  /** How many calls were struck by what. */
  readonly faults: Readonly<Record<string, number>>;
}

export type BankMessage =
  | { readonly is: "ready"; readonly url: string }
  | { readonly is: "done"; readonly books: BankBooks };

export interface Bank {
  readonly url: string;
  /** Resolves when it is done, with the books as they are then. */
  tell(command: BankCommand): Promise<BankBooks>;
  stop(): void;
}

export async function startBank(seed: number): Promise<Bank> {
  const child = fork(join(import.meta.dirname, "bank-process.ts"), [String(seed)]);
  const first = await nextMessage(child);
  if (first.is !== "ready") throw new Error("the bank did not say where it is");
  return {
    url: first.url,
    async tell(command) {
      const answer = nextMessage(child);
      child.send(command);
      const said = await answer;
      if (said.is !== "done") throw new Error("the bank said something else");
      return said.books;
    },
    stop: () => child.disconnect(),
  };
}

function nextMessage(child: ChildProcess): Promise<BankMessage> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the bank ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message: BankMessage) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
