/** Runs a contract against a rail, and shows that planted mistakes break it. */
import { describe, expect, test } from "vitest";
import { brokenCases, type ContractCase } from "./contract.ts";

export function keepContract<Rail, Subject extends { readonly rail: Rail }>(
  name: string,
  cases: readonly ContractCase<Subject>[],
  mistakes: Readonly<Record<string, (rail: Rail) => Rail>>,
  open: () => Promise<Subject>,
): void {
  describe(`the contract of ${name}`, () => {
    test.each(cases)("$name", async ({ run }) => run(await open()));

    test.each(Object.entries(mistakes))("a rail that takes %s breaks it", async (_, mistake) => {
      const wrong = async (): Promise<Subject> => {
        const subject = await open();
        return { ...subject, rail: mistake(subject.rail) };
      };
      expect(await brokenCases(cases, wrong)).not.toEqual([]);
    });
  });
}
