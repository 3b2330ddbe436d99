import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { parseMobileNumber } from "../../platform/phone-number.ts";
import { commonProblem } from "../../platform/problem.ts";
import { pageOf, pageQuery, paginationOf } from "../../platform/records/pagination.ts";
import { messageChannels } from "../../rails/message.ts";
import type { SimulatedMessage } from "./simulated-message.ts";

const messageData = named(
  "Message",
  Type.Object({
    id: Uuid,
    channel: OneOf(messageChannels),
    to: Type.String({ description: "The telephone, as E.164.", examples: ["+2348031234567"] }),
    text: Type.String({ examples: ["123456 is your code for 50,000.00 NGN at Mama Put Foods."] }),
    status: OneOf(["delivered"], { description: "In a sandbox every message arrives." }),
    createdAt: Timestamp,
  }),
);

const messagesQuery = Type.Object({
  ...pageQuery.properties,
  to: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "Only messages to this telephone, as 0803…, 234803… or +234803….",
      examples: ["08031234567"],
    }),
  ),
});

export interface MessageRouteDependencies extends Pick<SimulatedMessage, "list"> {
  /** Has everything carried that waits in this sandbox. */
  carryWaiting(environmentId: string): Promise<void>;
}

/** What would have rung in somebody's pocket. */
export function messageRoutes({ list, carryWaiting }: MessageRouteDependencies): Route[] {
  return [
    describeRoute("key", {
      method: "GET",
      path: "/sandbox/messages",
      operationId: "listMessages",
      tag: "Sandbox",
      scope: "sandbox:read",
      sandboxOnly: true,
      summary: "Read messages to customers",
      description:
        "Every text message that this sandbox sent to its customers, such as the codes they consent with, newest first. A message is here as soon as the call that caused it has returned. Nothing is really sent from a sandbox.",
      query: messagesQuery,
      reply: { status: 200, message: "Messages retrieved", data: Type.Array(messageData), paged: true },
      handle: async ({ caller, query }) => {
        const page = pageOf(query);
        const to = query.to === undefined ? null : readTelephone(query.to);
        await carryWaiting(caller.environmentId);
        const { messages, total } = await list(caller.environmentId, { ...page, to });
        const data = messages.map(({ sentAt, ...message }) => ({ ...message, createdAt: sentAt.toISOString() }));
        return { data, pagination: paginationOf(total, page.page, page.limit) };
      },
    }),
  ];
}

/** A plus sign that was not escaped arrives as a blank. */
function readTelephone(text: string): string {
  const telephone = parseMobileNumber(text.trim());
  if (telephone !== undefined) return telephone;
  const errors = [{ field: "to", message: "must be a Nigerian mobile number such as 08031234567" }];
  throw commonProblem("validation_failed", { errors });
}
