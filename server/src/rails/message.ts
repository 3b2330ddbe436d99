/**
 * The port to people's telephones. An adapter (an SMS gateway, the sandbox's simulation) implements it. It carries a
 * text to a number and decides nothing about the text. Every call has a time-out and no call is made inside a database
 * transaction.
 *
 * A message id is ours and committed before the call. A gateway that recognises it carries one message under it however
 * often it is asked, so that an unknown one is simply sent again; with one that does not, a person may get the same
 * text twice, which does less harm than none.
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
  readonly deduplicatesByMessage: boolean;
  send(message: Message): Promise<MessageAnswer>;
}
