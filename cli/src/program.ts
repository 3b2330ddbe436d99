/** Every command with its words and options. Examples stand in the help, where people look for them. */
import { Command, InvalidArgumentError, Option } from "commander";
import { type Action, run, type World, wholeNumber } from "./command.ts";

const version = "0.1.0";

export function createProgram(world: World): Command {
  const program = new Command("jara")
    .description("Jara from a terminal: webhooks on localhost, payouts, bills, loans and the sandbox's clock.")
    .version(version)
    .option("--key <key>", "secret key; else JARA_SECRET_KEY, else the one of npm start")
    .option("--base-url <url>", "where Jara runs; else JARA_BASE_URL, else the one of npm start")
    .option("--live", "allow a live key, which moves real money")
    .option("--json", "JSON, for scripts")
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      "after",
      examples("jara listen --forward-to http://localhost:3000/hooks", "jara trigger transfer.completed", "jara pay"),
    )
    .exitOverride();
  addEvents(program, world);
  addPayments(program, world);
  addLending(program, world);
  addSandbox(program, world);
  addOperating(program, world);
  addTools(program, world);
  return program;
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}

const limit = () =>
  new Option("--limit <number>", "at most this many").default(20).argParser((text) => {
    const wanted = wholeNumber(text);
    if (wanted >= 1 && wanted <= 10_000) return wanted;
    throw new InvalidArgumentError("A whole number from 1 to 10000.");
  });

function addEvents(program: Command, world: World): void {
  program
    .command("listen")
    .description("print events as they happen, and forward them to your application as signed webhooks")
    .option("--forward-to <url>", "send each event there, signed")
    .option("--events <names>", "only these, with commas between: transfer.completed,bill.failed")
    .option("--from-start", "begin with the first event instead of where the last run ended")
    .addHelpText(
      "after",
      examples(
        "jara listen",
        "jara listen --forward-to http://localhost:3000/hooks",
        "jara listen --events transfer.completed --json",
      ),
    )
    .action(run(world, async () => (await import("./listen/listen.ts")).listen));
  program
    .command("trigger")
    .argument("[event]", "such as transfer.completed; without it, all that can be played are listed")
    .description("play the real flow that ends in an event, in your sandbox")
    .addHelpText("after", examples("jara trigger", "jara trigger transfer.completed", "jara trigger loan.disbursed"))
    .action(run(world, async () => (await import("./trigger/trigger.ts")).trigger));
  const events = program.command("events").description("what happened, and its deliveries");
  events
    .command("list")
    .description("events, newest first")
    .option("--event <name>", "only this kind")
    .addOption(limit())
    .addHelpText("after", examples("jara events list --event transfer.failed --limit 5"))
    .action(run(world, async () => (await import("./commands/events.ts")).listEvents));
  events
    .command("show")
    .argument("<id>")
    .description("one event with its deliveries")
    .action(run(world, async () => (await import("./commands/events.ts")).showEvent));
  events
    .command("resend")
    .argument("<id>")
    .description("send an event again, to your endpoints and to a running jara listen")
    .action(run(world, async () => (await import("./commands/events.ts")).resendEvent));
}

function addPayments(program: Command, world: World): void {
  program
    .command("pay")
    .description("pay out to a bank account, step by step: bank, name, fee, confirm")
    .option("--bank <code>", "the bank's code")
    .option("--account <number>", "ten digits")
    .option("--amount <naira>", "such as 2500.50")
    .option("--narration <text>", "shown to the recipient")
    .option("--reference <reference>", "yours, used once")
    .option("--yes", "do not ask to confirm")
    .addHelpText("after", examples("jara pay", "jara pay --bank 058 --account 0123456789 --amount 2500 --yes"))
    .action(run(world, async () => (await import("./commands/pay.ts")).pay));
  const transfers = program.command("transfers").description("payouts to bank accounts");
  transfers
    .command("create")
    .description("pay out without questions: for scripts")
    .requiredOption("--bank <code>", "the bank's code")
    .requiredOption("--account <number>", "ten digits")
    .requiredOption("--amount <naira>", "such as 2500.50")
    .option("--narration <text>", "shown to the recipient")
    .option("--reference <reference>", "yours, used once")
    .option("--wait", "until it is final")
    .addHelpText("after", examples("jara transfers create --bank 058 --account 0123456789 --amount 2500 --wait --json"))
    .action(run(world, async () => (await import("./commands/transfers.ts")).createTransfer));
  addReaders(transfers, world, "transfer", async () => import("./commands/transfers.ts"));
  const bills = program.command("bills").description("airtime, data, electricity, TV and betting");
  bills
    .command("airtime")
    .description("buy airtime")
    .requiredOption("--network <name>", "MTN, AIRTEL, GLO or 9MOBILE")
    .requiredOption("--phone <number>", "such as 08031234567")
    .requiredOption("--amount <naira>")
    .option("--reference <reference>", "yours, used once")
    .action(run(world, async () => (await import("./commands/bills.ts")).buyAirtime));
  addReaders(bills, world, "bill", async () => import("./commands/bills.ts"));
  const wallets = program.command("wallets").description("balances, statements and play money");
  wallets
    .command("list")
    .description("every wallet with its balance")
    .action(run(world, async () => (await import("./commands/wallets.ts")).listWallets));
  wallets
    .command("show")
    .description("the main wallet, and its last movements")
    .addOption(limit())
    .action(run(world, async () => (await import("./commands/wallets.ts")).showWallet));
  wallets
    .command("fund")
    .argument("<naira>")
    .description("put play money into the main wallet of a sandbox")
    .action(run(world, async () => (await import("./commands/wallets.ts")).fundWallet));
}

interface Readers {
  readonly list: Action<{ readonly status?: string; readonly limit: number }>;
  readonly show: Action<object>;
}

/** Every kind of record is listed and shown in the same way. */
function addReaders(group: Command, world: World, noun: string, load: () => Promise<Readers>): void {
  group
    .command("list")
    .description(`${noun}s, newest first`)
    .option("--status <status>", "only those in this state")
    .addOption(limit())
    .action(run(world, async () => (await load()).list));
  group
    .command("show")
    .argument("<id>", "its id, or your reference")
    .description(`one ${noun}`)
    .action(run(world, async () => (await load()).show));
}

function addLending(program: Command, world: World): void {
  const loans = program.command("loans").description("loans to applicants");
  loans
    .command("quote")
    .description("what a loan would cost")
    .requiredOption("--amount <naira>")
    .requiredOption("--tenure <number>", "how many periods")
    .addOption(new Option("--period <kind>", "of what").choices(["daily", "weekly", "monthly"]).default("monthly"))
    .action(run(world, async () => (await import("./commands/loans.ts")).quote));
  addReaders(loans, world, "loan", async () => import("./commands/loans.ts"));
  const customers = program.command("customers").description("customers who buy now and pay later");
  addReaders(customers, world, "customer", async () => import("./commands/customers.ts"));
}

function addSandbox(program: Command, world: World): void {
  const clock = program.command("clock").description("the clock of a sandbox");
  clock
    .command("show")
    .description("what time it is there")
    .action(run(world, async () => (await import("./commands/clock.ts")).showClock));
  clock
    .command("advance")
    .argument("<span>", "30d, 12h, 45m, 90s, or next for the next thing that falls due")
    .description("move time; everything that falls due on the way happens")
    .addHelpText("after", examples("jara clock advance 30d", "jara clock advance next"))
    .action(run(world, async () => (await import("./commands/clock.ts")).advanceClock));
  clock
    .command("freeze")
    .description("stop the clock")
    .option("--at <time>", "at this moment: 2026-11-01T08:00:00Z")
    .option("--seed <word>", "make ids from this word, the same every time")
    .action(run(world, async () => (await import("./commands/clock.ts")).freezeClock));
  clock
    .command("run")
    .description("let it run at real time again")
    .action(run(world, async () => (await import("./commands/clock.ts")).runClock));
  program
    .command("fixtures")
    .description("fill a sandbox with customers, payouts, bills, loans and purchases in every state; moves its clock")
    .option("--seed <word>", "the same word gives the same people")
    .addHelpText("after", examples("jara fixtures", "jara fixtures --seed demo --json"))
    .action(run(world, async () => (await import("./fixtures/fixtures.ts")).makeFixtures));
  program
    .command("messages")
    .description("text messages that a sandbox would have sent, with their codes")
    .option("--to <phone>", "to this telephone")
    .addOption(limit())
    .action(run(world, async () => (await import("./commands/messages.ts")).listMessages));
}

function addOperating(program: Command, world: World): void {
  const merchants = program.command("merchants").description("merchants of this server; needs the operator's token");
  merchants
    .command("create")
    .description("a new merchant with a sandbox")
    .requiredOption("--name <name>")
    .requiredOption("--email <address>")
    .addHelpText("after", examples('jara merchants create --name "Mama Put Foods" --email owner@example.com'))
    .action(run(world, async () => (await import("./commands/merchants.ts")).createMerchant));
  merchants
    .command("list")
    .description("merchants and their environments, newest first")
    .addOption(limit())
    .action(run(world, async () => (await import("./commands/merchants.ts")).listMerchants));
  const keys = program.command("keys").description("secret keys of an environment; needs the operator's token");
  keys
    .command("list")
    .argument("<environment>")
    .description("keys of an environment")
    .action(run(world, async () => (await import("./commands/keys.ts")).listKeys));
  keys
    .command("create")
    .argument("<environment>")
    .description("a new key, shown once")
    .option("--name <name>", "to tell keys apart", "Command line")
    .action(run(world, async () => (await import("./commands/keys.ts")).createKey));
  keys
    .command("rotate")
    .argument("<id>", "of the key")
    .description("a new key in the place of an old one")
    .addOption(
      new Option("--overlap <seconds>", "how long the old one keeps working").default(3600).argParser(wholeNumber),
    )
    .action(run(world, async () => (await import("./commands/keys.ts")).rotateKey));
  keys
    .command("revoke")
    .argument("<id>", "of the key")
    .description("end a key at once")
    .action(run(world, async () => (await import("./commands/keys.ts")).revokeKey));
}

function addTools(program: Command, world: World): void {
  program
    .command("doctor")
    .description("look whether everything is in order, and say how to mend what is not")
    .action(run(world, async () => (await import("./commands/doctor.ts")).doctor));
  program
    .command("completion")
    .argument("<shell>", "bash, zsh or fish")
    .description("print what makes your shell complete jara's commands")
    .addHelpText(
      "after",
      examples("jara completion bash >> ~/.bashrc", "jara completion fish > ~/.config/fish/completions/jara.fish"),
    )
    .action(
      run(world, async () => {
        const { completion } = await import("./commands/completion.ts");
        return (given, _options, shell = "") => completion(given, program, shell);
      }),
    );
}
