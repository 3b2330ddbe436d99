/** What every inbound rail must keep to: account numbers for wallets, and the money that is paid into them. */
import { expect } from "vitest";
import { kobo } from "../../src/money/kobo.ts";
import type { AccountOrder, InboundAccount, InboundCredit, InboundRail } from "../../src/rails/inbound.ts";
import type { ContractCase } from "./contract.ts";

export type OpeningFate = "at once" | "later" | "opened, reply lost" | "no answer" | "name refused";

/** How a payment is odd. */
export type CreditOddity = "failed" | "pending" | "taken back" | "by card" | "of another mode" | "in dollars";

export interface InboundSubject {
  readonly rail: InboundRail;
  /** A new wallet, whose opening meets this fate. */
  order(fate: OpeningFate): AccountOrder;
  /** Accounts that were to be assigned later are. */
  assign(): void;
  /** Somebody pays. Returns the provider's id for it. */
  pay(account: InboundAccount, amount: number, oddity?: CreditOddity): string;
  /** How many account numbers the wallet has at the provider. */
  accountsOf(order: AccountOrder): number;
  /** The next page of the provider's list cannot be read. */
  breakList(): void;
}

const unknown = { outcome: "unknown" };
const noRecord = { outcome: "no_record" };

async function opened({ rail, order }: InboundSubject): Promise<InboundAccount> {
  const answer = await rail.openAccount(order("at once"));
  if (answer.outcome !== "active") throw new Error(`no account was opened: ${JSON.stringify(answer)}`);
  return answer.account;
}

async function listed({ rail }: InboundSubject, from: number, to: number): Promise<string[]> {
  const now = Date.now();
  const ids = await Array.fromAsync(rail.listCredits({ from: new Date(now + from), to: new Date(now + to) }));
  return ids.sort();
}

async function creditOf({ rail }: InboundSubject, id: string): Promise<InboundCredit> {
  const answer = await rail.readCredit(id);
  if (answer.outcome !== "credited") throw new Error(`not a credit: ${JSON.stringify(answer)}`);
  return answer.credit;
}

const opening: readonly ContractCase<InboundSubject>[] = [
  {
    name: "a wallet gets a number that can be paid to, a bank and a holder",
    run: async (subject) => {
      expect(await opened(subject)).toEqual({
        accountNumber: expect.stringMatching(/^\d{10}$/),
        accountName: expect.stringMatching(/\w+/),
        bankName: expect.stringMatching(/\w+/),
        holderReference: expect.stringMatching(/\w+/),
      });
    },
  },
  {
    name: "the same wallet again, opened or asked about, is the same account",
    run: async ({ rail, order, accountsOf }) => {
      const wanted = order("at once");
      const first = await rail.openAccount(wanted);
      expect(first.outcome).toBe("active");
      expect(await rail.openAccount(wanted)).toEqual(first);
      expect(await rail.findAccount(wanted)).toEqual(first);
      expect(accountsOf(wanted)).toBe(1);
    },
  },
  {
    name: "two wallets of one name have two numbers and two holders",
    run: async (subject) => {
      const [one, other] = [await opened(subject), await opened(subject)];
      expect(one.accountNumber).not.toBe(other.accountNumber);
      expect(one.holderReference).not.toBe(other.holderReference);
    },
  },
  {
    name: "an account whose reply was lost is found, and a second try opens none",
    run: async ({ rail, order, accountsOf }) => {
      const wanted = order("opened, reply lost");
      expect(await rail.openAccount(wanted)).toMatchObject(unknown);
      expect(await rail.findAccount(wanted)).toMatchObject({ outcome: "active" });
      expect(await rail.openAccount(wanted)).toMatchObject({ outcome: "active" });
      expect(accountsOf(wanted)).toBe(1);
    },
  },
  {
    name: "an account that comes later is unknown until it is there, and is not opened twice meanwhile",
    run: async ({ rail, order, assign, accountsOf }) => {
      const wanted = order("later");
      expect(await rail.openAccount(wanted)).toMatchObject(unknown);
      expect(await rail.findAccount(wanted)).toMatchObject(unknown);
      expect(await rail.openAccount(wanted)).toMatchObject(unknown);
      assign();
      expect(await rail.findAccount(wanted)).toMatchObject({ outcome: "active" });
      expect(accountsOf(wanted)).toBe(1);
    },
  },
  {
    name: "no answer is unknown, and nothing was opened",
    run: async ({ rail, order, accountsOf }) => {
      const wanted = order("no answer");
      expect(await rail.openAccount(wanted)).toMatchObject(unknown);
      expect(accountsOf(wanted)).toBe(0);
    },
  },
  {
    name: "a name that the provider does not take is refused, with words for people",
    run: async ({ rail, order, accountsOf }) => {
      const wanted = order("name refused");
      const refusal = { outcome: "refused", code: expect.any(String), message: expect.stringMatching(/\w+ \w+/) };
      expect(await rail.openAccount(wanted)).toMatchObject(refusal);
      expect(accountsOf(wanted)).toBe(0);
    },
  },
  {
    name: "a wallet that was never ordered has no record",
    run: async ({ rail, order }) => expect(await rail.findAccount(order("at once"))).toEqual(noRecord),
  },
];

const credits: readonly ContractCase<InboundSubject>[] = [
  {
    name: "a payment is told gross, with its fee, both keys of the wallet, and its sender",
    run: async (subject) => {
      const account = await opened(subject);
      const id = subject.pay(account, 250_000);
      expect(await creditOf(subject, id)).toMatchObject({
        transactionId: id,
        amount: kobo(250_000n),
        fee: kobo(2_500n),
        currency: "NGN",
        accountNumber: account.accountNumber,
        holderReference: account.holderReference,
        senderName: expect.any(String),
        senderAccount: expect.stringMatching(/^\d{4}$/),
        paidAt: expect.any(Date),
      });
    },
  },
  {
    name: "two equal payments are two, and asking twice tells the same",
    run: async (subject) => {
      const account = await opened(subject);
      const [one, other] = [subject.pay(account, 70_000), subject.pay(account, 70_000)];
      expect(one).not.toBe(other);
      expect(await creditOf(subject, one)).toEqual(await creditOf(subject, one));
      expect((await creditOf(subject, other)).transactionId).toBe(other);
    },
  },
  {
    name: "a payment that failed, or is of a card or another mode, is none of ours to book",
    run: async (subject) => {
      const account = await opened(subject);
      for (const oddity of ["failed", "by card", "of another mode"] as const) {
        const id = subject.pay(account, 90_000, oddity);
        expect([oddity, await subject.rail.readCredit(id)]).toMatchObject([oddity, { outcome: "not_inbound" }]);
      }
    },
  },
  {
    name: "a payment under way is unknown, and one that went back is taken back",
    run: async (subject) => {
      const account = await opened(subject);
      const read = (oddity: CreditOddity) => subject.rail.readCredit(subject.pay(account, 90_000, oddity));
      expect(await read("pending")).toMatchObject(unknown);
      expect(await read("taken back")).toMatchObject({ outcome: "taken_back" });
    },
  },
  {
    name: "another currency is told as what it is",
    run: async (subject) => {
      const id = subject.pay(await opened(subject), 90_000, "in dollars");
      expect(await creditOf(subject, id)).toMatchObject({ currency: "USD" });
    },
  },
  {
    name: "an id that the provider never gave has no record",
    run: async ({ rail }) => {
      expect(await rail.readCredit("404")).toEqual(noRecord);
      expect(await rail.readCredit("../transfer/1")).toEqual(noRecord);
    },
  },
  {
    name: "the list of a period has each payment once, also over many pages, and no others",
    run: async (subject) => {
      const account = await opened(subject);
      const paid = Array.from({ length: 230 }, () => subject.pay(account, 10_000));
      subject.pay(account, 10_000, "by card");
      subject.pay(account, 10_000, "failed");
      expect(await listed(subject, -60_000, 60_000)).toEqual(paid.sort());
      expect(await listed(subject, -120_000, -60_000)).toEqual([]);
    },
  },
  {
    name: "a list that cannot be read to its end throws: half a list would lose money",
    run: async (subject) => {
      subject.pay(await opened(subject), 10_000);
      subject.breakList();
      await expect(listed(subject, -60_000, 60_000)).rejects.toThrow(/could not be read/);
    },
  },
];

export const inboundContract: readonly ContractCase<InboundSubject>[] = [...opening, ...credits];

/** Rails that mistake something; the contract must tell each from a right one. */
export const wrongInbound: Readonly<Record<string, (rail: InboundRail) => InboundRail>> = {
  "everything for unknown": (rail) => ({
    ...rail,
    openAccount: async () => ({ outcome: "unknown" }),
    findAccount: async () => ({ outcome: "unknown" }),
    readCredit: async () => ({ outcome: "unknown" }),
  }),
  "a payment that failed for a credit": (rail) => ({
    ...rail,
    readCredit: async (id) => {
      const answer = await rail.readCredit(id);
      return answer.outcome === "not_inbound" ? { outcome: "credited", credit: anyCredit(id) } : answer;
    },
  }),
  "silence for a refusal": (rail) => ({
    ...rail,
    openAccount: async (order) => {
      const answer = await rail.openAccount(order);
      return answer.outcome === "unknown" ? { outcome: "refused", code: "x", message: "No answer" } : answer;
    },
  }),
  "an account on its way for none": (rail) => ({
    ...rail,
    findAccount: async (order) => {
      const answer = await rail.findAccount(order);
      return answer.outcome === "unknown" ? { outcome: "no_record" } : answer;
    },
  }),
  "the net for the gross": (rail) => ({
    ...rail,
    readCredit: async (id) => {
      const answer = await rail.readCredit(id);
      if (answer.outcome !== "credited") return answer;
      const { amount, fee } = answer.credit;
      return { ...answer, credit: { ...answer.credit, amount: kobo(amount - fee) } };
    },
  }),
  "the first page for the list": (rail) => ({
    ...rail,
    listCredits: async function* (period) {
      let told = 0;
      for await (const id of rail.listCredits(period)) {
        if (told === 100) return;
        told += 1;
        yield id;
      }
    },
  }),
};

function anyCredit(transactionId: string): InboundCredit {
  return {
    transactionId,
    amount: kobo(1n),
    fee: kobo(0n),
    currency: "NGN",
    accountNumber: null,
    holderReference: null,
    senderName: null,
    senderBank: null,
    senderAccount: null,
    networkSessionId: null,
    paidAt: new Date(),
  };
}
