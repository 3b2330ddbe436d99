/** The banks that money can go to, with the codes that --bank takes. */
import { isMeant } from "../ask.ts";
import type { Given } from "../command.ts";

export async function listBanks({ screen, connect }: Given, _options: object, ...words: string[]): Promise<void> {
  const sought = words.join(" ");
  const banks = (await connect().jara.transfers.listBanks()).filter(({ code, name }) =>
    isMeant(sought, { value: code, label: name }),
  );
  const rows = banks.map(({ code, name, active }) => [code, name, active ? "" : "takes no payouts now"]);
  screen.records(
    banks,
    { head: ["CODE", "BANK", ""], rows },
    `No bank is called ${sought}. jara banks lists them all.`,
  );
}
