/** Monnify as a provider that an operator can connect. */
import { checkAddress, checkBalance } from "../check-connection.ts";
import type { ConnectionCheck, ConnectionSettings, Provider } from "../provider.ts";
import { checkBanks, type ProviderBanks, rememberBanks } from "../provider-banks.ts";
import { monnifyBank } from "./bank.ts";
import { readMonnifyBanks } from "./banks.ts";
import { createMonnifyClient, type MonnifyClient } from "./client.ts";
import { listDisbursements } from "./records.ts";
import { readFloat } from "./wallet.ts";
import { readHook } from "./webhook.ts";

const hosts = { live: ["api.monnify.com"], test: ["sandbox.monnify.com"] };

export const monnify: Provider = {
  name: "monnify",
  ports: ["bank"],
  credentials: [
    { name: "apiKey", secret: true, required: true, description: "The API key, MK_PROD_… or MK_TEST_…" },
    { name: "secretKey", secret: true, required: true, description: "The secret key; it also signs webhooks" },
    {
      name: "sourceAccountNumber",
      secret: false,
      required: true,
      description: "The account number of the wallet that disbursements are paid from",
    },
  ],
  defaultBaseUrl: "https://api.monnify.com",
  testBaseUrl: "https://sandbox.monnify.com",
  connect: (settings) => {
    const { secretKey = "" } = settings.credentials;
    const client = createMonnifyClient(settings);
    const banks = rememberBanks(() => readMonnifyBanks(client));
    return {
      bank: monnifyBank({ client, banks }),
      close: client.close,
      check: () => check(settings, client, banks),
      readFloat: () => readFloat(client),
      readHook: (request) => readHook(secretKey, request),
      books: { kinds: ["payout"], list: (period) => listDisbursements(client, period) },
    };
  },
};

/** Replies do not tell the mode: the address and the key do. Neither is tried with the other mode's partner. */
async function check(
  settings: ConnectionSettings,
  client: MonnifyClient,
  banks: ProviderBanks,
): Promise<readonly ConnectionCheck[]> {
  const known = [checkAddress(settings, hosts), checkKey(settings)];
  if (known.some(({ result }) => result === "failed")) return known;
  const balance = checkBalance(await readFloat(client));
  return balance.result === "failed" ? [...known, balance] : [...known, balance, await checkBanks(banks)];
}

function checkKey({ mode, credentials }: ConnectionSettings): ConnectionCheck {
  const name = "key";
  const prefix = mode === "live" ? "MK_PROD_" : "MK_TEST_";
  if (credentials.apiKey?.startsWith(prefix)) return { name, result: "ok", message: `The key is a ${mode} key.` };
  return { name, result: "failed", message: `The API key of a ${mode} connection begins with ${prefix}.` };
}
