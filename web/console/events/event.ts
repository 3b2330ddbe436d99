/** An event and its way to the merchant's endpoints. */
export interface Event {
  readonly id: string;
  readonly event: string;
  readonly created_at: string;
  readonly resource_version: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export const deliveryStatuses = ["pending", "delivered", "failed", "held", "cancelled"] as const;

/** The same body to the same address. Without the signature: only the server has the secret. */
export function asCurl(event: Event, url: string): string {
  const body = JSON.stringify(event).replaceAll("'", String.raw`'\''`);
  return `curl -X POST '${url.replaceAll("'", "%27")}' -H 'content-type: application/json' -d '${body}'`;
}

/** The id of the record that the event is about. */
export function recordIdOf({ data }: Event): string | null {
  const inner = data["loan_request"];
  const record = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : data;
  const id = record["id"] ?? record["batchId"];
  return typeof id === "string" ? id : null;
}
