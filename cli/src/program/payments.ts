/** Payouts and wallets. */
import type { Command } from "commander";
import { run, type World } from "../command.ts";
import { addReaders, examples, limit } from "./parts.ts";

export function addPayments(program: Command, world: World): void {
  addPayoutOptions(program.command("pay"))
    .description("pay out to a bank account, step by step: bank, name, fee, confirm")
    .option("--yes", "do not ask to confirm")
    .addHelpText("after", examples("jara pay", "jara pay --bank 058 --account 0123456789 --amount 2500 --yes"))
    .action(run(world, async () => (await import("../commands/pay.ts")).pay));
  program
    .command("banks")
    .argument("[name...]", "a part of the name, or its first letters")
    .description("banks and their codes")
    .addHelpText("after", examples("jara banks", "jara banks gtb"))
    .action(run(world, async () => (await import("../commands/banks.ts")).listBanks));
  const transfers = program.command("transfers").description("payouts to bank accounts");
  addPayoutOptions(transfers.command("create"))
    .description("pay out; with all options given nothing is asked, for scripts")
    .option("--wait", "until it is final")
    .addHelpText("after", examples("jara transfers create --bank 058 --account 0123456789 --amount 2500 --wait --json"))
    .action(run(world, async () => (await import("../commands/transfers.ts")).createTransfer));
  const load = async () => import("../commands/transfers.ts");
  addReaders(transfers, world, { noun: "transfer", status: "failed", load });
  addWallets(program, world);
}

function addPayoutOptions(command: Command): Command {
  return command
    .option("--bank <code>", "the bank's code; jara banks lists them")
    .option("--account <number>", "ten digits")
    .option("--amount <naira>", "such as 2500.50")
    .option("--narration <text>", "shown to the recipient")
    .option("--reference <reference>", "yours, used once");
}

function addWallets(program: Command, world: World): void {
  const wallets = program.command("wallets").description("balances, statements, sub-accounts and play money");
  wallets
    .command("list")
    .description("every wallet with its balance")
    .addHelpText("after", examples("jara wallets list"))
    .action(run(world, async () => (await import("../commands/wallets.ts")).listWallets));
  wallets
    .command("show")
    .argument("[id]", "of a sub-account; else the main wallet")
    .description("a wallet, and its last movements")
    .addOption(limit())
    .addHelpText("after", examples("jara wallets show", "jara wallets show --limit 100 --json"))
    .action(run(world, async () => (await import("../commands/wallets.ts")).showWallet));
  wallets
    .command("create")
    .description("open a sub-account with a number of its own")
    .option("--name <name>", "what payers see")
    .option("--external-id <id>", "yours, used once")
    .addHelpText("after", examples('jara wallets create --name "Ikeja branch" --external-id ikeja'))
    .action(run(world, async () => (await import("../commands/wallets.ts")).createWallet));
  wallets
    .command("move")
    .description("move money between your own wallets")
    .option("--from <wallet>", "main, or the id of a sub-account")
    .option("--to <wallet>", "main, or the id of a sub-account")
    .option("--amount <naira>", "such as 2500.50")
    .option("--reference <reference>", "yours, used once")
    .addHelpText(
      "after",
      examples(
        "jara wallets move",
        "jara wallets move --from main --to 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11 --amount 500",
      ),
    )
    .action(run(world, async () => (await import("../commands/wallets.ts")).moveMoney));
  wallets
    .command("fund")
    .argument("<naira>")
    .description("put play money into the main wallet of a sandbox")
    .addHelpText("after", examples("jara wallets fund 250000"))
    .action(run(world, async () => (await import("../commands/wallets.ts")).fundWallet));
}
