/**
 * How the banks of a sandbox are. All are up but for Nowhere Bank and those that the sandbox's owner has put into
 * another condition. Every name enquiry asks here and must stay quick, so the few conditions that differ are read
 * together and remembered for a moment.
 */
import type pg from "pg";
import { rememberFor } from "../../platform/remember.ts";
import { type BankCondition, nowhereBank } from "./bank-condition.ts";
import { readConditions, writeCondition } from "./simulated-bank-store.ts";

export interface KnownConditions {
  of(sandbox: string, nipCode: string): Promise<BankCondition>;
  /** Every bank of the sandbox that is not up, by NIP code. */
  all(sandbox: string): Promise<ReadonlyMap<string, BankCondition>>;
  /** This process sees it at once, others when what they remember is too old. */
  set(sandbox: string, nipCode: string, condition: BankCondition): Promise<void>;
  forget(): void;
}

const rememberedForMs = 500;

export function createKnownConditions(pool: pg.Pool): KnownConditions {
  const readAnew = () => rememberFor(rememberedForMs, () => readConditions(pool));
  let read = readAnew();
  const forget = (): void => {
    read = readAnew();
  };
  const conditionsOf = async (sandbox: string) => (await read()).get(sandbox);
  return {
    async of(sandbox, nipCode) {
      if (nipCode === nowhereBank) return "down";
      return (await conditionsOf(sandbox))?.get(nipCode) ?? "up";
    },
    all: async (sandbox) => new Map([...((await conditionsOf(sandbox)) ?? []), [nowhereBank, "down"]]),
    async set(sandbox, nipCode, condition) {
      await writeCondition(pool, sandbox, nipCode, condition);
      forget();
    },
    forget,
  };
}
