/** What can be bought, with the codes that the options take. */
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { money } from "../words.ts";

type Bills = Connection["jara"]["bills"];

interface Product {
  readonly code: string;
  readonly name: string;
  readonly of: string;
  readonly naira: string;
}

const span = ({ minAmount, maxAmount }: { readonly minAmount: number; readonly maxAmount: number }): string =>
  `${money(minAmount)} to ${money(maxAmount)}`;

const readers: Readonly<Record<string, (bills: Bills) => Promise<Product[]>>> = {
  airtime: async (bills) =>
    (await bills.listNetworks()).map((one) => ({ code: one.code, name: one.name, of: "", naira: span(one) })),
  data: async (bills) =>
    (await bills.data.listPlans()).map(({ planCode, name, network, amount }) => ({
      code: planCode,
      name,
      of: network,
      naira: money(amount),
    })),
  electricity: async (bills) =>
    (await bills.electricity.listProviders()).map((one) => ({
      code: one.code,
      name: one.name,
      of: one.meterTypes.join(", "),
      naira: span(one),
    })),
  tv: async (bills) =>
    (await bills.tv.listPackages()).map(({ packageCode, name, provider, amount }) => ({
      code: packageCode,
      name,
      of: provider,
      naira: money(amount),
    })),
  betting: async (bills) =>
    (await bills.betting.listProviders()).map((one) => ({ code: one.code, name: one.name, of: "", naira: span(one) })),
};

export async function listProducts({ screen, connect }: Given, _options: object, kind = ""): Promise<void> {
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  if (read === undefined) {
    throw new CliError(exitCodes.usage, `"${kind}" is not one of ${Object.keys(readers).join(", ")}.`);
  }
  const found = await read(connect().jara.bills);
  const rows = found.map(({ code, name, of, naira }) => [code, name, of, naira]);
  screen.records(found, { head: ["CODE", "NAME", "OF", "NAIRA"], rows }, "Nothing is on sale at the moment.");
}
