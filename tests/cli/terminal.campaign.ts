/** Questions at a real terminal, made by util-linux's `script`. Without it there is no terminal to test with. */
import { describe, expect, test } from "vitest";
import { hasTerminal } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const { jara, sdk } = await createCommandWorld();

const countPayouts = async () => Number((await sdk.transfers.list().page()).totalItems);

describe.skipIf(!hasTerminal)("a payout at a terminal", () => {
  for (const [command, words] of [
    ["pay", ["pay"]],
    ["transfers create", ["transfers", "create"]],
  ] as const) {
    test(`${command}: a bank by its first letters, then name and fee, and no money before a yes`, async () => {
      const before = await countPayouts();
      const asked = jara.startAtTerminal(80, ...words);
      await asked.says("Bank");
      asked.press("gtb");
      await asked.says("Guaranty Trust Bank");
      asked.press("\r");
      await asked.says("Account number");
      asked.press("0123456789\r");
      await asked.says("Amount in naira");
      asked.press("₦2,500\r");
      await asked.says("a fee of NGN");
      expect(await countPayouts()).toBe(before);
      asked.press("y");
      const { code, out } = await asked.ended();
      expect(code).toBe(0);
      expect(out).toMatch(/Send NGN 2,500\.00 to [A-Z]/);
      expect(out).toMatch(/to +[A-Za-z' -]+ 0123456789 Guaranty Trust Bank/);
      expect(await countPayouts()).toBe(before + 1);
    });
  }

  test("a no, Enter alone, Ctrl-C, and an input that ends do nothing and say so", async () => {
    const before = await countPayouts();
    for (const key of ["n", "\r", "\u0003", "\u0004"]) {
      const asked = jara.startAtTerminal(80, "pay", "--bank", "058", "--account", "0123456789", "--amount", "100");
      await asked.says("Send NGN");
      asked.press(key);
      const { code, out } = await asked.ended();
      expect(code).toBe(2);
      expect(out).toContain("Nothing was done.");
    }
    expect(await countPayouts()).toBe(before);
  });
});
