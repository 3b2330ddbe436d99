/** Bills of every kind. What an option does not say is asked for at a terminal. */
import type { Command } from "commander";
import { run, type World } from "../command.ts";
import { addReaders, examples } from "./parts.ts";

const load = () => import("../commands/buy-bills.ts");

export function addBills(program: Command, world: World): void {
  const bills = program.command("bills").description("airtime, data, electricity, TV and betting");
  const phones = addPhones(bills, world);
  addOthers(phones, world);
  bills
    .command("products")
    .argument("<kind>", "airtime, data, electricity, tv or betting")
    .description("what can be bought, with its codes and prices")
    .addHelpText("after", examples("jara bills products data", "jara bills products tv --json"))
    .action(run(world, async () => (await import("../commands/bill-products.ts")).listProducts));
  addReaders(bills, world, { noun: "bill", status: "failed", load: async () => import("../commands/bills.ts") });
}

function buy(bills: Command, name: string, what: string): Command {
  return bills
    .command(name)
    .description(`buy ${what}`)
    .option("--reference <reference>", "yours, used once")
    .option("--from <wallet>", "the id of the sub-account that pays; else the main wallet");
}

const phone = ["--phone <number>", "such as 08031234567"] as const;
const amount = ["--amount <naira>", "such as 2500.50"] as const;

function addPhones(bills: Command, world: World): Command {
  const network = ["--network <name>", "MTN, AIRTEL, GLO or 9MOBILE"] as const;
  buy(bills, "airtime", "airtime")
    .option(...network)
    .option(...phone)
    .option(...amount)
    .addHelpText(
      "after",
      examples("jara bills airtime", "jara bills airtime --network MTN --phone 08031234567 --amount 500"),
    )
    .action(run(world, async () => (await load()).buyAirtime));
  buy(bills, "data", "mobile data")
    .option(...network)
    .option(...phone)
    .option("--plan <code>", "from jara bills products data")
    .addHelpText(
      "after",
      examples("jara bills data", "jara bills data --network MTN --phone 08031234567 --plan mtn-230mb-1d"),
    )
    .action(run(world, async () => (await load()).buyData));
  return bills;
}

function addOthers(bills: Command, world: World): void {
  buy(bills, "electricity", "electricity; the token of a prepaid meter is shown")
    .option("--provider <code>", "from jara bills products electricity")
    .option("--meter <number>", "11 or 13 digits")
    .option("--type <type>", "prepaid or postpaid")
    .option(...amount)
    .option(...phone)
    .addHelpText(
      "after",
      examples(
        "jara bills electricity",
        "jara bills electricity --provider ikeja-electric --meter 45012345678 --type prepaid --amount 5000 --phone 08031234567",
      ),
    )
    .action(run(world, async () => (await load()).buyElectricity));
  buy(bills, "tv", "a TV package")
    .option("--provider <code>", "dstv, gotv or startimes")
    .option("--card <number>", "of the decoder")
    .option("--package <code>", "from jara bills products tv; renew for the one that the card has")
    .option(...phone)
    .addHelpText(
      "after",
      examples("jara bills tv", "jara bills tv --provider dstv --card 7012345678 --package renew --phone 08031234567"),
    )
    .action(run(world, async () => (await load()).buyTv));
  buy(bills, "betting", "credit with a bookmaker")
    .option("--provider <code>", "from jara bills products betting")
    .option("--customer <number>", "the customer's number there")
    .option(...amount)
    .addHelpText(
      "after",
      examples("jara bills betting", "jara bills betting --provider bet9ja --customer 1234567 --amount 1000"),
    )
    .action(run(world, async () => (await load()).buyBetting));
}
