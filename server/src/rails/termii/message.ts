/** Text messages through Termii. */
import type { MessageRail } from "../message.ts";
import { classifySend } from "./classify.ts";
import type { TermiiClient } from "./client.ts";
import { smsParts } from "./sms-parts.ts";

const mostParts = 6;

export function createTermiiMessages(client: TermiiClient): MessageRail {
  return {
    name: "termii",
    // It has no field for an id of ours: a second call is a second message.
    deduplicatesByMessage: false,
    send: async ({ to, text }) => {
      const parts = smsParts(text);
      if (text.trim() === "" || parts > mostParts) {
        const message = `A text of ${parts} parts is not sent; ${mostParts} is the most, and an empty one is none.`;
        return { outcome: "refused", code: "text_length", message };
      }
      return classifySend(await client.send({ to, text }));
    },
  };
}
