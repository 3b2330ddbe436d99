/** The twin of Termii. It has no idea of a message id of ours: every call that it takes is a message. */
import { createHmac } from "node:crypto";
import { startTwin, type Twin } from "./twin.ts";
import { postHook, type TwinReply, type TwinRequest } from "./twin-wire.ts";

export const termiiKeys = { apiKey: "TLkeyOfTheTwin", senderId: "Jara", webhookSecret: "tsk_of_the_twin" };

export interface TermiiMessage {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly text: string;
}

export interface TermiiTwin extends Twin {
  readonly messages: readonly TermiiMessage[];
  /** Naira, with fractions of a kobo as Termii has them. */
  readonly account: { balance: number };
  /** Reports a message's delivery to a URL. `key` signs; a wrong one is a forgery. */
  sendReport(url: string, messageId: string, status: string, key?: string): Promise<number>;
}

const says = (status: number, message: string): TwinReply => ({ status, body: { code: status, message } });

export interface TermiiTwinOptions {
  readonly port?: number;
  /** Told of every message that the twin takes. */
  onMessage?(message: TermiiMessage): void;
}

export async function startTermiiTwin({ port = 0, onMessage }: TermiiTwinOptions = {}): Promise<TermiiTwin> {
  const messages: TermiiMessage[] = [];
  const account = { balance: 1500.0345 };
  const twin = await startTwin({
    port,
    nothingHere: { status: 404, body: "<html><body>404 Not Found</body></html>" },
    routes: [
      {
        "GET /api/get-balance": ({ query }) =>
          query.get("api_key") === termiiKeys.apiKey
            ? { status: 200, body: { user: "Jara", balance: account.balance, currency: "NGN" } }
            : says(401, "Invalid API key"),
        "POST /api/sms/send": (request) => {
          const refused = refuse(request, account.balance);
          if (refused !== undefined) return refused;
          const { to, from, sms } = request.body;
          const id = `30178${String(messages.length + 1).padStart(17, "0")}`;
          const message = { id, to: String(to), from: String(from), text: String(sms) };
          messages.push(message);
          onMessage?.(message);
          account.balance -= 4;
          const body = {
            code: "ok",
            message_id: id,
            message: "Successfully Sent",
            balance: account.balance,
            user: "Jara",
          };
          return { status: 200, body };
        },
      },
    ],
  });
  return {
    ...twin,
    messages,
    account,
    sendReport: (url, message_id, status, key = termiiKeys.webhookSecret) => {
      const body = JSON.stringify({ type: "outbound", id: "1", message_id, status, channel: "dnd", cost: "4" });
      return postHook(url, body, { "x-termii-signature": createHmac("sha512", key).update(body).digest("hex") });
    },
  };
}

/** A number that ends in seven zeros is nobody's. */
function refuse({ body }: TwinRequest, balance: number): TwinReply | undefined {
  if (body["api_key"] !== termiiKeys.apiKey) return says(401, "Invalid API key");
  if (body["from"] !== termiiKeys.senderId) return says(404, "Invalid Sender Id");
  if (body["channel"] !== "dnd" || body["type"] !== "plain") return says(400, "You are not set up on this route");
  if (typeof body["to"] !== "string" || !/^234\d{10}$/.test(body["to"])) return says(400, "Invalid phone number");
  if (/0{7}$/.test(body["to"])) return says(422, "The phone number is not in service");
  if (typeof body["sms"] !== "string" || body["sms"] === "") return says(422, "The sms field is required");
  return balance < 4 ? says(400, "Insufficient balance") : undefined;
}
