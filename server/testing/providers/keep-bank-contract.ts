/** Runs the contract of bank rails against a bench, and shows that planted wrong rails do not keep it. */
import { describe, expect, test } from "vitest";
import { type BankBench, bankContract, plantedBankRails } from "./bank-contract.ts";
import { brokenCases } from "./contract.ts";

export function keepBankContract(name: string, open: () => Promise<BankBench>): void {
  describe(`the contract of bank rails: ${name}`, () => {
    test.each(bankContract)("$name", async ({ run }) => run(await open()));

    test.each(Object.entries(plantedBankRails))("a wrong rail does not keep it: %s", async (_, plant) => {
      const openWrong = async (): Promise<BankBench> => {
        const bench = await open();
        return { ...bench, rail: { ...bench.rail, ...plant(bench.rail) } };
      };
      expect(await brokenCases(bankContract, openWrong)).not.toEqual([]);
    });
  });
}
