/** What the main wallet has to tell in an overview: what it holds, and what came and went. */
import { Type } from "typebox";
import { sumSteps } from "../ledger/statement.ts";
import { sum } from "../money/arithmetic.ts";
import { type Kobo, kobo, nairaNumber, nairaString, zeroKobo } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { Attention, OverviewSource, Period } from "../platform/records/overview.ts";
import { stepsOf } from "../platform/time/period-steps.ts";
import { readBalance } from "./read-wallets.ts";
import { mainWalletId, type WalletBalance } from "./wallet.ts";

const moneyFields = { moneyIn: NairaNumber, moneyOut: NairaNumber };

const walletFigures = named(
  "WalletFigures",
  Type.Object({
    accountId: Uuid,
    available: NairaNumber,
    held: NairaNumber,
    ...moneyFields,
    steps: Type.Array(Type.Object({ at: Timestamp, ...moneyFields }), {
      description: "Each hour or day in Lagos, oldest first, as the sums of the statement; also those without money.",
    }),
  }),
);

export const walletOverview: OverviewSource = {
  part: { name: "wallet", schema: walletFigures },
  scope: "wallets:read",
  async read(tx, period) {
    const balance = await readBalance(tx);
    const known = new Map(
      (await sumSteps(tx, mainWalletId(tx.environment.id), period)).map((step) => [step.at.getTime(), step]),
    );
    const steps = stepsOf(period).map((at) => {
      const { moneyIn = zeroKobo, moneyOut = zeroKobo } = known.get(at.getTime()) ?? {};
      return { at, moneyIn, moneyOut };
    });
    const moneyOut = sum(steps.map((step) => step.moneyOut));
    return {
      figures: {
        accountId: balance.accountId,
        available: nairaNumber(balance.available),
        held: nairaNumber(balance.held),
        moneyIn: nairaNumber(sum(steps.map((step) => step.moneyIn))),
        moneyOut: nairaNumber(moneyOut),
        steps: steps.map(({ at, ...money }) => ({
          at: at.toISOString(),
          moneyIn: nairaNumber(money.moneyIn),
          moneyOut: nairaNumber(money.moneyOut),
        })),
      },
      attention: lowWallet(balance, averageDay(moneyOut, period)),
    };
  },
};

const dayMs = 86_400_000n;

/** What leaves on an average day of the period, down to the kobo; a shorter period counts as a day. */
function averageDay(moneyOut: Kobo, { from, to }: Period): Kobo {
  const spanMs = BigInt(to.getTime() - from.getTime());
  return spanMs <= dayMs ? moneyOut : kobo((moneyOut * dayMs) / spanMs);
}

function lowWallet({ accountId, available }: WalletBalance, needed: Kobo): Attention[] {
  if (needed === 0n || available >= needed) return [];
  const title = `The wallet holds less than an average day's debits of NGN ${nairaString(needed)}. Fund it.`;
  const items = [{ id: accountId, title: "Main wallet", since: null }];
  return [{ kind: "wallet_low", title, count: 1, since: null, amount: available, items }];
}
