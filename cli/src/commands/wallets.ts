import { fillIn, readNaira, requireYes, shape } from "../ask.ts";
import type { Given } from "../command.ts";
import { refuseLive } from "../connection.ts";
import { moment, money, status } from "../words.ts";
import { amountQuestion } from "./bank-questions.ts";
import { newReference, readSome } from "./read-list.ts";

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

interface NewWallet {
  readonly name?: string;
  readonly externalId?: string;
}

export async function createWallet(given: Given, options: NewWallet): Promise<void> {
  const { subAccounts } = given.connect().jara.wallets;
  const questions = [{ name: "name", message: "What payers see", check: shape("some") }] as const;
  const { said } = await fillIn(given, options, questions);
  const made = await subAccounts.create({ accountName: said.name, externalId: options.externalId });
  given.screen.record(made, [
    ["wallet", made.accountName],
    ["status", status(given.screen, made.status)],
    ["account", `${made.accountNumber ?? "comes later"} ${made.bankName ?? ""}`.trim()],
    ["yours", made.externalId ?? ""],
    ["id", made.id],
  ]);
}

interface Move {
  readonly from?: string;
  readonly to?: string;
  readonly amount?: string;
  readonly reference?: string;
}

/** Between your own wallets; `main` is the main one. */
export async function moveMoney(given: Given, options: Move): Promise<void> {
  const { wallets } = given.connect().jara;
  const choices = async () => {
    const accounts = await readSome(wallets.subAccounts.list(), 1_000);
    const others = accounts.map(({ id, accountName, balance }) => ({
      value: id,
      label: accountName,
      hint: money(balance),
    }));
    return [{ value: "main", label: "Main wallet" }, ...others];
  };
  const { said, wasAsked } = await fillIn(given, options, [
    { name: "from", message: "From", choices },
    { name: "to", message: "To", choices },
    amountQuestion,
  ]);
  if (wasAsked) await requireYes(given, `Move NGN ${said.amount}?`);
  const main = said.from === "main" || said.to === "main" ? (await wallets.getBalance()).accountId : "";
  const [from = "", to = ""] = [said.from, said.to].map((wallet) => (wallet === "main" ? main : wallet));
  const { reference = newReference("move") } = options;
  const moved = await wallets.transfer({ from, to, amount: said.amount, reference });
  given.screen.record(moved, [
    ["moved", `NGN ${money(moved.amount)}`],
    ["from", moved.from],
    ["to", moved.to],
    ["reference", moved.reference],
    ["time", moment(moved.createdAt)],
  ]);
}

export async function showWallet(
  { screen, connect }: Given,
  { limit }: { readonly limit: number },
  accountId?: string,
): Promise<void> {
  const { wallets } = connect().jara;
  const which = { accountId };
  const [main, lines] = await Promise.all([
    wallets.getBalance(which),
    readSome(wallets.transactions.list(which), limit),
  ]);
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
  const line = await connection.jara.sandbox.wallets.fund({ amount: readNaira(amount) });
  screen.record(line, [
    ["credited", `NGN ${money(line.amount)}`],
    ["balance", `NGN ${money(line.balanceAfter)}`],
  ]);
}
