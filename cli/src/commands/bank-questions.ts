/** To whom money goes: asked in the same way for payouts and loans. */
import { type Question, readNaira, shape } from "../ask.ts";
import type { Connection } from "../connection.ts";

type Jara = Connection["jara"];

export function bankQuestions({ transfers }: Jara): readonly Question<"bank" | "account">[] {
  return [
    {
      name: "bank",
      message: "Bank",
      choices: async () => {
        const banks = await transfers.listBanks();
        return banks.filter(({ active }) => active).map(({ name, code }) => ({ value: code, label: name, hint: code }));
      },
    },
    { name: "account", message: "Account number", check: shape("account") },
  ];
}

export const amountQuestion: Question<"amount"> = {
  name: "amount",
  message: "Amount in naira",
  read: readNaira,
  check: shape("naira"),
};
