/** Loans to applicants, and customers who buy now and pay later. */
import { type Command, Option } from "commander";
import { run, type World } from "../command.ts";
import { addReaders, examples } from "./parts.ts";

const period = () =>
  new Option("--period <kind>", "of what").choices(["daily", "weekly", "monthly"]).default("monthly");

export function addLending(program: Command, world: World): void {
  const loans = program.command("loans").description("loans to applicants");
  loans
    .command("quote")
    .description("what a loan would cost")
    .requiredOption("--amount <naira>")
    .requiredOption("--tenure <number>", "how many periods")
    .addOption(period())
    .addHelpText("after", examples("jara loans quote --amount 50000 --tenure 3"))
    .action(run(world, async () => (await import("../commands/loans.ts")).quote));
  addPersonOptions(loans.command("create"))
    .description("ask for a loan; a sandbox decides in a few seconds")
    .option("--amount <naira>")
    .option("--tenure <number>", "how many periods")
    .addOption(period())
    .option("--bank <code>", "where the money goes")
    .option("--account <number>", "ten digits")
    .option("--longitude <degrees>", "where the applicant is; in a sandbox Lagos, unless you say")
    .option("--latitude <degrees>", "the same")
    .addHelpText(
      "after",
      examples(
        "jara loans create",
        "jara loans create --first-name Ada --last-name Obi --phone 08031234567 --email ada@example.com \\\n" +
          "      --nin 12345678901 --bvn 22123456789 --amount 50000 --tenure 3 --bank 058 --account 0123456789",
      ),
    )
    .action(run(world, async () => (await import("../commands/loans.ts")).createLoan));
  addReaders(loans, world, { noun: "loan", status: "overdue", load: async () => import("../commands/loans.ts") });
  const customers = program.command("customers").description("customers who buy now and pay later");
  addPersonOptions(customers.command("create"))
    .description("onboard a customer; the same BVN again is the same customer")
    .option("--birthday <date>", "such as 1994-06-21")
    .option("--external-id <id>", "yours")
    .addHelpText(
      "after",
      examples(
        "jara customers create",
        "jara customers create --first-name Ada --last-name Obi --phone 08031234567 --email ada@example.com \\\n" +
          "      --bvn 22123456789",
      ),
    )
    .action(run(world, async () => (await import("../commands/customers.ts")).createCustomer));
  addReaders(customers, world, { noun: "customer", load: async () => import("../commands/customers.ts") });
}

function addPersonOptions(command: Command): Command {
  return command
    .option("--first-name <name>")
    .option("--last-name <name>")
    .option("--phone <number>", "such as 08031234567")
    .option("--email <address>")
    .option("--bvn <number>", "eleven digits")
    .option("--nin <number>", "eleven digits");
}
