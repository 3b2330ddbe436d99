/** What goes over the wire: the body of an event, the same to the byte at every try, and its headers. */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { secondsOf } from "./webhook-secret.ts";

export interface MessageEvent {
  readonly eventId: string;
  readonly event: string;
  readonly createdAt: Date;
  readonly environment: EnvironmentKind;
  readonly resourceVersion: number;
  /** The JSON text as it was written with the event. */
  readonly data: string;
}

/** Equal to the event in the log and the feed. The data is not parsed: what was written once is sent for ever. */
export function messageBody(event: MessageEvent): string {
  const head = JSON.stringify({
    id: event.eventId,
    event: event.event,
    created_at: event.createdAt.toISOString(),
    environment: event.environment,
    resource_version: event.resourceVersion,
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}

export function messageHeaders(eventId: string, sentAt: Date, signature: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Jara-Webhooks/1.0",
    accept: "*/*",
    "accept-encoding": "identity",
    "webhook-id": eventId,
    "webhook-timestamp": String(secondsOf(sentAt)),
    "webhook-signature": signature,
  };
}
