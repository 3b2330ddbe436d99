/**
 * The port to people's telephones. An adapter (an SMS gateway, the sandbox's simulation) implements it. It carries a
 * text to a number and decides nothing about the text. Every call has a time-out and no call is made inside a database
 * transaction.
 *
 * A message id is ours and committed before the call. A gateway that recognises it carries one message under it however
 * often it is asked, so that an unknown one is simply sent again. With one that does not, an unknown message is sent
 * once more and no further (`message-try.ts`): the same text twice does less harm than none, ten times does more.
 */
import type { Unknown } from "./answer.ts";

export const messageChannels = ["sms"] as const;
export type MessageChannel = (typeof messageChannels)[number];

export interface Message {
  readonly environmentId: string;
  readonly messageId: string;
  readonly channel: MessageChannel;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

export type MessageAnswer =
  | { readonly outcome: "sent"; readonly providerId: string }
  /** The gateway will never carry it: a number that nobody has, a number that wants no messages. */
  | { readonly outcome: "refused"; readonly code: string; readonly message: string }
  | Unknown;

export interface MessageRail {
  readonly name: string;
  /** Whether a second call under the same message id is the same message. */
  readonly deduplicatesByMessage: boolean;
  send(message: Message): Promise<MessageAnswer>;
}
