/** Every command with its words and options. Examples stand in the help, where people look for them. */
import { Command, Option } from "commander";
import { run, type World, wholeNumber } from "./command.ts";
import { addArchive } from "./program/archive.ts";
import { addBills } from "./program/bills.ts";
import { addLending } from "./program/lending.ts";
import { addLogs } from "./program/logs.ts";
import { examples, limit } from "./program/parts.ts";
import { addPayments } from "./program/payments.ts";

const version = "0.3.0";

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
  addEventLog(program, world);
  addLogs(program, world);
  addPayments(program, world);
  addBills(program, world);
  addLending(program, world);
  addSandbox(program, world);
  addOperating(program, world);
  addArchive(program, world);
  addRequests(program, world);
  addTools(program, world);
  return program;
}

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
    .addOption(
      new Option(
        "--override <field=value>",
        "another value in the request that makes the record; a.b=c further in",
      ).argParser((text, before: readonly string[] = []) => [...before, text]),
    )
    .addHelpText(
      "after",
      examples(
        "jara trigger",
        "jara trigger transfer.completed",
        "jara trigger transfer.completed --override amount=5000 --override narration=Salary",
      ),
    )
    .action(run(world, async () => (await import("./trigger/trigger.ts")).trigger));
}

function addEventLog(program: Command, world: World): void {
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
    .addHelpText("after", examples("jara events show 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"))
    .action(run(world, async () => (await import("./commands/events.ts")).showEvent));
  events
    .command("resend")
    .argument("[id]", "of one event; else --since")
    .description("send an event again, or all of a time, to your endpoints and to a running jara listen")
    .option("--since <span>", "every event of the last 90s, 5m, 12h or 30d, by the environment's clock")
    .option("--event <name>", "with --since: only this kind")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      examples(
        "jara events resend 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
        "jara events resend --since 5m",
        "jara events resend --since 2h --event transfer.completed --yes",
      ),
    )
    .action(run(world, async () => (await import("./commands/events.ts")).resendEvent));
}

function addSandbox(program: Command, world: World): void {
  const clock = program.command("clock").description("the clock of a sandbox");
  clock
    .command("show")
    .description("what time it is there")
    .addHelpText("after", examples("jara clock show"))
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
    .addHelpText("after", examples("jara clock freeze", "jara clock freeze --at 2026-11-01T08:00:00Z --seed demo"))
    .action(run(world, async () => (await import("./commands/clock.ts")).freezeClock));
  clock
    .command("run")
    .description("let it run at real time again")
    .addHelpText("after", examples("jara clock run"))
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
    .addHelpText("after", examples("jara messages --to 08031234567"))
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
    .addHelpText("after", examples("jara merchants list"))
    .action(run(world, async () => (await import("./commands/merchants.ts")).listMerchants));
  const keys = program.command("keys").description("secret keys of an environment; needs the operator's token");
  keys
    .command("list")
    .argument("<environment>")
    .description("keys of an environment")
    .addHelpText("after", examples("jara keys list 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"))
    .action(run(world, async () => (await import("./commands/keys.ts")).listKeys));
  keys
    .command("create")
    .argument("<environment>")
    .description("a new key, shown once")
    .option("--name <name>", "to tell keys apart", "Command line")
    .addHelpText("after", examples("jara keys create 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11 --name Server"))
    .action(run(world, async () => (await import("./commands/keys.ts")).createKey));
  keys
    .command("rotate")
    .argument("<id>", "of the key")
    .description("a new key in the place of an old one")
    .addOption(
      new Option("--overlap <seconds>", "how long the old one keeps working").default(3600).argParser(wholeNumber),
    )
    .addHelpText("after", examples("jara keys rotate 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11 --overlap 3600"))
    .action(run(world, async () => (await import("./commands/keys.ts")).rotateKey));
  keys
    .command("revoke")
    .argument("<id>", "of the key")
    .description("end a key at once")
    .addHelpText("after", examples("jara keys revoke 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"))
    .action(run(world, async () => (await import("./commands/keys.ts")).revokeKey));
}

function addRequests(program: Command, world: World): void {
  program
    .command("get")
    .argument("<path>", "such as /transfers?limit=5")
    .description("any GET of the API with your key; prints the reply as JSON")
    .addHelpText("after", examples("jara get /wallets/balance", "jara get '/transfers?status=failed&limit=5'"))
    .action(run(world, async () => (await import("./commands/raw.ts")).rawGet));
  program
    .command("post")
    .argument("<path>", "such as /transfers")
    .description("any POST of the API with your key; prints the reply as JSON")
    .option("-d, --data <json>", "the body, @file to read it from a file, @- from standard input")
    .option("--idempotency-key <key>", "makes it safe to send again; else a new one")
    .addHelpText(
      "after",
      examples(`jara post /sandbox/clock/advance -d '{"days":1}'`, "jara post /transfers -d @payout.json"),
    )
    .action(run(world, async () => (await import("./commands/raw.ts")).rawPost));
}

function addTools(program: Command, world: World): void {
  program
    .command("dev")
    .description("start the server of this clone, and print what it says until Ctrl-C")
    .option("--listen <url>", "forward its events there, signed, as jara listen does")
    .addHelpText("after", examples("jara dev", "jara dev --listen http://localhost:3000/hooks"))
    .action(run(world, async () => (await import("./commands/dev.ts")).dev));
  program
    .command("verify")
    .description("recompute all money of this clone's server from its history, and name what differs")
    .addHelpText("after", examples("jara verify", "jara verify --json"))
    .action(run(world, async () => (await import("./commands/verify.ts")).verify));
  program
    .command("search")
    .argument("<words...>", "a reference, an id, an account number, a telephone, an amount or a name")
    .description("find payouts, bills, loans, customers, wallets and events by what you have at hand")
    .addHelpText(
      "after",
      examples("jara search order-1042", "jara search 2,500.50 --json", "jara search Adaeze Okafor"),
    )
    .action(run(world, async () => (await import("./commands/search.ts")).search));
  program
    .command("trace")
    .argument(
      "<id>",
      "your reference, or any id: of a payout, bill, loan, charge, event, request, line of the statement",
    )
    .description("where the money is, and why: everything that happened to a record")
    .addHelpText("after", examples("jara trace order-1042", "jara trace 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11 --json"))
    .action(run(world, async () => (await import("./commands/trace.ts")).showTrace));
  program
    .command("console")
    .description("a fresh link that signs you in at the console of the server on this machine")
    .option("--no-open", "print the link, and do not open a browser")
    .addHelpText("after", examples("jara console", "jara console --no-open"))
    .action(run(world, async () => (await import("./commands/console.ts")).openConsole));
  program
    .command("doctor")
    .description("look whether everything is in order, and say how to mend what is not")
    .addHelpText("after", examples("jara doctor", "jara doctor --json"))
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
