import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../platform/secrets/crypto.ts";
import { derivedAccountId, systemAccountId } from "./account.ts";
import { readBalances } from "./balance.ts";
import type { CommandKind } from "./command.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openFloorAccounts } from "./open-accounts.ts";
import type { Posting } from "./post.ts";
import { runCommand } from "./run-command.ts";
import { countEntries } from "./statement.ts";
import { verifyLedger } from "./verify.ts";

const { db } = await createTestDatabase();
const sealer = createSealer(parseMasterKeys(generateMasterKey()));
const group = createGroupCommit({ db, sealer, slots: 2 });

const { id: environment } = (await createMerchant(db)).environment;
const purse = derivedAccountId(environment, "purse");
await inEnvironment(db, environment, (tx) => openFloorAccounts(tx, "wallet", [purse]));

/** Puts the first amount into the purse and, as a line of its own, the second. */
const both: CommandKind<readonly [bigint, bigint], string, string> = {
  name: "test.both",
  async plan(tx, inputs) {
    const posting = (amount: bigint): Posting => {
      const id = tx.environment.clock.newId();
      return {
        id,
        kind: "test.both",
        resource: { type: "test", id, reference: null },
        narration: null,
        legs: [
          { accountId: purse, amount: kobo(amount) },
          { accountId: systemAccountId(environment, "outside"), amount: kobo(-amount) },
        ],
      };
    };
    return inputs.map(([one, other]) => ({
      next: "post",
      posting: posting(one),
      also: [posting(other)],
      record: `${one}/${other}`,
    }));
  },
  write: async (_tx, records) => records,
};

const inPurse = () =>
  inEnvironment(db, environment, async (tx) => ({
    balance: (await readBalances(tx, [purse])).get(purse),
    lines: await countEntries(tx, purse),
    differences: await verifyLedger(tx),
  }));

test("what belongs together is posted together, as lines of their own", async () => {
  expect(await group.submit(environment, both, [100n, -30n])).toBe("100/-30");
  expect(await inPurse()).toEqual({ balance: 70n, lines: 2n, differences: [] });
  await inEnvironment(db, environment, (tx) => runCommand(tx, both, [10n, 5n]));
  expect(await inPurse()).toEqual({ balance: 85n, lines: 4n, differences: [] });
});

test("half of it is never posted alone, and its neighbours are paid", async () => {
  const before = await inPurse();
  const outcomes = await Promise.allSettled([
    group.submit(environment, both, [1n, 1n]),
    group.submit(environment, both, [1n, -10_000n]),
    group.submit(environment, both, [1n, 1n]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[1]).toMatchObject({ reason: { message: "test.both lacked funds and may not" } });
  expect(await inPurse()).toEqual({ balance: (before.balance ?? 0n) + 4n, lines: before.lines + 4n, differences: [] });
});
