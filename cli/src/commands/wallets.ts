import type { Given } from "../command.ts";
import { refuseLive } from "../connection.ts";
import { moment, money } from "../words.ts";
import { readSome } from "./read-list.ts";

export async function listWallets({ screen, connect }: Given): Promise<void> {
  const { wallets } = connect().jara;
  const [main, accounts] = await Promise.all([wallets.getBalance(), readSome(wallets.subAccounts.list(), 1_000)]);
  const rows = [
    ["Main wallet", money(main.available).padStart(16), "", main.accountId],
    ...accounts.map((one) => [one.accountName, money(one.balance).padStart(16), one.accountNumber, one.id]),
  ];
  const head = ["WALLET", "AVAILABLE".padStart(16), "ACCOUNT NUMBER", "ID"];
  screen.records([main, ...accounts], { head, rows }, "");
}

export async function showWallet({ screen, connect }: Given, { limit }: { readonly limit: number }): Promise<void> {
  const { wallets } = connect().jara;
  const [main, lines] = await Promise.all([wallets.getBalance(), readSome(wallets.transactions.list(), limit)]);
  if (screen.isJson) return screen.line(JSON.stringify({ ...main, transactions: lines }, null, 2));
  screen.record(main, [
    ["available", `NGN ${money(main.available)}`],
    ["held", `NGN ${money(main.held)}`],
    ["id", main.accountId],
  ]);
  screen.line("");
  const rows = lines.map((one) => [
    moment(one.createdAt),
    `${one.direction === "credit" ? "+" : "-"}${money(one.amount)}`.padStart(15),
    money(one.balanceAfter).padStart(15),
    one.type,
    one.resource.reference ?? "",
  ]);
  const head = ["TIME", "NAIRA".padStart(15), "BALANCE".padStart(15), "WHAT", "REFERENCE"];
  screen.records(lines, { head, rows }, "No movements yet. Put play money in: jara wallets fund 50000");
}

export async function fundWallet({ screen, connect }: Given, _options: object, amount = ""): Promise<void> {
  const connection = connect();
  refuseLive(connection, "jara wallets fund");
  const line = await connection.jara.sandbox.wallets.fund({ amount });
  screen.record(line, [
    ["credited", `NGN ${money(line.amount)}`],
    ["balance", `NGN ${money(line.balanceAfter)}`],
  ]);
}
