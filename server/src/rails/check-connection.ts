/** What the checks of every provider's connection have in common. */
import { nairaString } from "../money/kobo.ts";
import type { Hold } from "./answer.ts";
import type { ConnectionCheck, ConnectionMode, ConnectionSettings, Float } from "./provider.ts";

/** A provider whose test mode has an address of its own: live keys belong to the one, test keys to the other. */
export function checkAddress(
  { mode, baseUrl }: ConnectionSettings,
  hosts: Readonly<Record<ConnectionMode, readonly string[]>>,
): ConnectionCheck {
  const { hostname } = new URL(baseUrl);
  const meant = (["live", "test"] as const).find((one) => hosts[one].includes(hostname));
  return meant === undefined || meant === mode
    ? { name: "mode", result: "ok", message: `The address fits mode ${mode}.` }
    : {
        name: "mode",
        result: "failed",
        message: `${hostname} is the provider's ${meant} address; the mode is ${mode}.`,
      };
}

export function checkBalance(balance: Float | Hold | null): ConnectionCheck {
  const name = "balance";
  if (balance === null) return { name, result: "failed", message: "The provider did not tell the balance." };
  if ("reason" in balance) return { name, result: "failed", message: `${balance.reason}: ${balance.message}` };
  return { name, result: "ok", message: `The balance is NGN ${nairaString(balance.available)}.` };
}
