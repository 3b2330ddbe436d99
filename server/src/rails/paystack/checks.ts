/** What is looked at before a connection to Paystack is trusted. */
import { checkBalance } from "../check-connection.ts";
import type { ConnectionCheck, ConnectionMode } from "../provider.ts";
import { checkBanks, type ProviderBanks } from "../provider-banks.ts";
import { wordsAt } from "../provider-words.ts";
import { readFloat } from "./balance.ts";
import { disableOtp, type PaystackClient } from "./client.ts";
import { listAccountProviders } from "./inbound-calls.ts";
import { isPage } from "./page.ts";
import { refusalIn } from "./refusal.ts";

export interface CheckParts {
  readonly client: PaystackClient;
  readonly banks: ProviderBanks;
  readonly mode: ConnectionMode;
  readonly secretKey: string;
  /** Of the addresses of virtual accounts; undefined where none are opened. */
  readonly domain: string | undefined;
}

/** A key of the other mode is not tried at all: a test key "pays" everything, and a live one pays for tests. */
export async function checkPaystack(parts: CheckParts): Promise<readonly ConnectionCheck[]> {
  const key = checkKey(parts);
  if (key.result === "failed") return [key];
  const balance = checkBalance(await readFloat(parts.client));
  if (balance.result === "failed") return [key, balance];
  const checks = [key, balance, await checkBanks(parts.banks), await checkOtp(parts)];
  return parts.domain === undefined ? checks : [...checks, await checkAccounts(parts, parts.domain)];
}

function checkKey({ secretKey, mode }: CheckParts): ConnectionCheck {
  const name = "key";
  if (secretKey.startsWith(`sk_${mode}_`)) return { name, result: "ok", message: `The key is a ${mode} key` };
  return { name, result: "failed", message: `The secret key of a ${mode} connection begins with sk_${mode}_` };
}

/** There is no call that only asks. Where one-time passwords are on, this one sends a code to the owner. */
async function checkOtp({ client }: CheckParts): Promise<ConnectionCheck> {
  const name = "otp";
  const reply = await disableOtp(client);
  const words = reply.kind === "answer" ? wordsAt(reply.body, "message") : "";
  const isOff = /already|disabled|not (enabled|required)/i.test(words);
  if (refusalIn(reply) !== undefined && isOff) return { name, result: "ok", message: "Transfers need no code" };
  if (/\b(otp|code)\b.*\bsent\b|\bsent\b.*\b(otp|code)\b/i.test(words)) {
    const message = "Transfers ask for a one-time password: switch it off in Paystack's dashboard, then check again";
    return { name, result: "failed", message };
  }
  const message = "Paystack did not say whether transfers ask for a one-time password: see that it is off";
  return { name, result: "warning", message };
}

/** Payouts do not need dedicated accounts, so a business that may not open any is only told. */
async function checkAccounts({ client }: CheckParts, domain: string): Promise<ConnectionCheck> {
  const name = "accounts";
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain)) {
    return { name, result: "failed", message: "accountsDomain is not a mail domain, such as accounts.example.com" };
  }
  const reply = await listAccountProviders(client);
  if (isPage(reply)) return { name, result: "ok", message: "Dedicated accounts can be opened" };
  const message = "Paystack does not let our business open dedicated accounts: ask its support to enable them";
  return { name, result: "warning", message };
}
