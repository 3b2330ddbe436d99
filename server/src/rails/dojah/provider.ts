import { checkAddress, checkBalance } from "../check-connection.ts";
import type { Provider } from "../provider.ts";
import { classifyBalance } from "./classify.ts";
import { createDojahClient } from "./client.ts";
import { createDojahIdentity } from "./identity.ts";

const hosts = { live: ["api.dojah.io"], test: ["sandbox.dojah.io"] } as const;

export const dojah: Provider = {
  name: "dojah",
  ports: ["identity"],
  credentials: [
    { name: "appId", secret: false, required: true, description: "The id of the app in Dojah's dashboard." },
    { name: "secretKey", secret: true, required: true, description: "The app's secret key, live or test by the mode." },
  ],
  defaultBaseUrl: "https://api.dojah.io",
  testBaseUrl: "https://sandbox.dojah.io",
  connect: (settings) => {
    const client = createDojahClient(settings);
    const readFloat = async () => classifyBalance(await client.readBalance());
    return {
      identity: createDojahIdentity(client, settings.mode),
      check: async () => [checkAddress(settings, hosts), checkBalance(await readFloat())],
      readFloat,
    };
  },
};
