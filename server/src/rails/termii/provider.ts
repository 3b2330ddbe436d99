import { checkBalance } from "../check-connection.ts";
import type { ConnectionCheck, Provider } from "../provider.ts";
import { classifyBalance } from "./classify.ts";
import { createTermiiClient } from "./client.ts";
import { createTermiiMessages } from "./message.ts";
import { readHook } from "./webhook.ts";

export const termii: Provider = {
  name: "termii",
  ports: ["message"],
  credentials: [
    { name: "apiKey", secret: true, required: true, description: "API key, from the settings of the account." },
    {
      name: "senderId",
      secret: false,
      required: true,
      description: "The sender's name as it is registered with Termii, 3 to 11 letters and digits.",
    },
    {
      name: "webhookSecret",
      secret: true,
      required: false,
      description: "The key that signs webhooks, where it is not the API key.",
    },
  ],
  defaultBaseUrl: "https://v3.api.termii.com",
  // There is no test mode: a test connection sends real messages.
  testBaseUrl: "https://v3.api.termii.com",
  connect: (settings) => {
    const client = createTermiiClient(settings);
    const { apiKey = "", senderId = "", webhookSecret = "" } = settings.credentials;
    const readFloat = async () => classifyBalance(await client.readBalance());
    return {
      message: createTermiiMessages(client),
      check: async () => [checkSender(senderId), checkBalance(await readFloat())],
      readFloat,
      readHook: (request) => readHook(webhookSecret === "" ? apiKey : webhookSecret, request),
    };
  },
};

function checkSender(senderId: string): ConnectionCheck {
  const fits = /^[A-Za-z0-9][A-Za-z0-9 .-]{1,9}[A-Za-z0-9]$/.test(senderId);
  return fits
    ? { name: "sender_id", result: "ok", message: "The sender id has 3 to 11 characters." }
    : {
        name: "sender_id",
        result: "failed",
        message: "A sender id has 3 to 11 letters and digits. Register another one.",
      };
}
