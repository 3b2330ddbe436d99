/** Paystack as a provider that an operator can connect. */
import { keysOf } from "../../platform/keys-of.ts";
import type { Provider } from "../provider.ts";
import { rememberBanks } from "../provider-banks.ts";
import { readApproval } from "./approval.ts";
import { readFloat } from "./balance.ts";
import { paystackBank } from "./bank.ts";
import { readPaystackBanks } from "./banks.ts";
import { paystackCard } from "./card.ts";
import { checkPaystack } from "./checks.ts";
import { createPaystackClient } from "./client.ts";
import { paystackInbound } from "./inbound.ts";
import { listRecords, lists } from "./records.ts";
import { readHook } from "./webhook.ts";

const address = "https://api.paystack.co";

export const paystack: Provider = {
  name: "paystack",
  ports: ["bank", "card", "inbound"],
  credentials: [
    {
      name: "secretKey",
      secret: true,
      required: true,
      description: "The secret key of the mode, which begins with sk_live_ or sk_test_",
    },
    {
      name: "accountsDomain",
      secret: false,
      required: false,
      neededFor: ["inbound"],
      description: "A mail domain of yours. Each virtual account has an address there; without it none are opened",
    },
    {
      name: "accountsPhone",
      secret: false,
      required: false,
      description: "A telephone number of yours that Paystack may have for the holders of virtual accounts",
    },
  ],
  defaultBaseUrl: address,
  testBaseUrl: address,
  asksApproval: true,
  connect: (settings) => {
    const { mode, credentials } = settings;
    const { secretKey = "", accountsDomain: domain, accountsPhone: phone } = credentials;
    const client = createPaystackClient(settings);
    const banks = rememberBanks(() => readPaystackBanks(client));
    return {
      bank: paystackBank({ client, banks, mode }),
      card: paystackCard({ client, mode }),
      inbound: paystackInbound({ client, mode, domain, phone }),
      close: client.close,
      check: () => checkPaystack({ client, banks, mode, secretKey, domain }),
      readFloat: () => readFloat(client),
      readHook: (request) => readHook(secretKey, request),
      readApproval: (request) => readApproval(secretKey, banks, request),
      books: { kinds: keysOf(lists), list: (period, kinds) => listRecords(client, period, kinds) },
    };
  },
};
