import type { Given } from "../command.ts";
import { moment } from "../words.ts";

interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: string;
  readonly environments: readonly { readonly id: string; readonly kind: string; readonly name: string }[];
}

interface NewMerchant {
  readonly name: string;
  readonly email: string;
}

export async function createMerchant({ screen, operate }: Given, { name, email }: NewMerchant): Promise<void> {
  const made = await operate().call<Merchant>("POST", "/operator/merchants", { name, email });
  const [sandbox] = made.environments;
  screen.record(made, [
    ["merchant", made.name],
    ["id", made.id],
    ["sandbox", sandbox?.id ?? ""],
    ["next", sandbox === undefined ? "" : `jara keys create ${sandbox.id} --name Server`],
  ]);
}

export async function listMerchants({ screen, operate }: Given, { limit }: { readonly limit: number }): Promise<void> {
  const found = await operate().list<Merchant>("/operator/merchants", limit);
  const rows = found.flatMap((one) => {
    const row = (kind: string, id: string) => [one.name, one.email, kind, id, moment(one.createdAt)];
    return one.environments.length === 0 ? [row("", "")] : one.environments.map(({ kind, id }) => row(kind, id));
  });
  screen.records(found, { head: ["MERCHANT", "E-MAIL", "KIND", "ENVIRONMENT", "SINCE"], rows }, "No merchants yet.");
}
