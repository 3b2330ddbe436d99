import { randomUUID } from "node:crypto";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import {
  type MessageSubject,
  messageContract,
  wrongMessageRails,
} from "../../../testing/providers/message-contract.ts";
import { createSimulatedMessage } from "./simulated-message.ts";

const { db, pool } = await createTestDatabase();
const simulated = createSimulatedMessage({ pool, db });
const environmentId = (await createMerchant(db)).environment.id;

let made = 0;

const subject: MessageSubject = {
  rail: simulated.rail,
  message: () => {
    made += 1;
    const to = `+234803${String(1_000_000 + made)}`;
    return { environmentId, messageId: randomUUID(), channel: "sms", to, text: `Your code is ${made}.` };
  },
  carried: async ({ to }) =>
    (await simulated.list(environmentId, { to, page: 1, limit: 10 })).messages.map(({ text }) => text),
};

const played = messageContract.filter(({ fate }) => fate === "carried");

keepContract("message rails: the simulated one", played, wrongMessageRails, async () => subject);
