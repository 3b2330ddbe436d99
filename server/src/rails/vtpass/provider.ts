import type { Provider } from "../provider.ts";
import { checkAccount, classifyBalance } from "./account.ts";
import { createVtpassBiller } from "./biller.ts";
import { createVtpassClient } from "./client.ts";
import { readProducts } from "./products.ts";
import { findVend } from "./records.ts";
import { hookReply, readHook } from "./webhook.ts";

export const vtpass: Provider = {
  name: "vtpass",
  ports: ["biller"],
  credentials: [
    { name: "apiKey", secret: true, required: true, description: "API key, from the profile's API keys." },
    { name: "publicKey", secret: true, required: true, description: "Public key (PK_…); shown with each question." },
    { name: "secretKey", secret: true, required: true, description: "Secret key (SK_…); shown with each order." },
  ],
  defaultBaseUrl: "https://vtpass.com/api",
  testBaseUrl: "https://sandbox.vtpass.com/api",
  connect: (settings) => {
    const client = createVtpassClient(settings);
    return {
      biller: createVtpassBiller(client),
      check: () => checkAccount(client, settings),
      readFloat: async () => classifyBalance(await client.readBalance()),
      readProducts: () => readProducts(client),
      books: { kinds: ["vend"], find: (question) => findVend(client, question) },
      readHook,
      hookReply,
    };
  },
};
