/** What every message rail must keep to. */
import { expect } from "vitest";
import type { Message, MessageRail } from "../../src/rails/message.ts";
import type { ContractCase } from "./contract.ts";

export type MessageFate = "carried" | "refused" | "reply_lost" | "down";

export interface MessageSubject {
  readonly rail: MessageRail;
  /** A new message that will meet this fate. */
  message(fate: MessageFate): Message;
  /** The texts that the gateway carried to the message's number. */
  carried(message: Message): Promise<readonly string[]>;
}

export interface MessageCase extends ContractCase<MessageSubject> {
  /** A simulation cannot play every fate. */
  readonly fate: MessageFate;
}

const sent = { outcome: "sent", providerId: expect.stringMatching(/\S/) };

export const messageContract: readonly MessageCase[] = [
  {
    name: "a message is carried, word for word, and has the gateway's id",
    fate: "carried",
    run: async ({ rail, message, carried }) => {
      const one = message("carried");
      expect(await rail.send(one)).toEqual(sent);
      expect(await carried(one)).toEqual([one.text]);
    },
  },
  {
    name: "a second call under an id is the same message where the rail says so, and another one where it does not",
    fate: "carried",
    run: async ({ rail, message, carried }) => {
      const one = message("carried");
      for (let time = 0; time < 2; time += 1) expect(await rail.send(one)).toEqual(sent);
      expect(await carried(one)).toHaveLength(rail.deduplicatesByMessage ? 1 : 2);
    },
  },
  {
    name: "a number that nobody has is refused, with words for people, and nothing is carried",
    fate: "refused",
    run: async ({ rail, message, carried }) => {
      const one = message("refused");
      const refused = { outcome: "refused", code: expect.any(String), message: expect.stringMatching(/\w+ \w+/) };
      expect(await rail.send(one)).toEqual(refused);
      expect(await carried(one)).toEqual([]);
    },
  },
  {
    name: "after a lost reply nobody knows whether it was carried",
    fate: "reply_lost",
    run: async ({ rail, message, carried }) => {
      const one = message("reply_lost");
      expect(await rail.send(one)).toMatchObject({ outcome: "unknown" });
      expect(await carried(one)).toHaveLength(1);
    },
  },
  {
    name: "a gateway that is down refuses nobody",
    fate: "down",
    run: async ({ rail, message, carried }) => {
      const one = message("down");
      expect(await rail.send(one)).toMatchObject({ outcome: "unknown" });
      expect(await carried(one)).toEqual([]);
    },
  },
];

/** Each must break the contract. */
export const wrongMessageRails: Readonly<Record<string, (rail: MessageRail) => MessageRail>> = {
  "everything for unknown": (rail) => ({
    ...rail,
    send: async (message) => (await rail.send(message)) && { outcome: "unknown" },
  }),
  "everything for sent, without sending": (rail) => ({
    ...rail,
    send: async () => ({ outcome: "sent", providerId: "1" }),
  }),
  "its promise about ids lightly": (rail) => ({ ...rail, deduplicatesByMessage: !rail.deduplicatesByMessage }),
};
