import type { AnsweredRequest } from "../../src/platform/http/reply/answered-request.ts";
import type { TestMerchant } from "../factories.ts";

/** A payout's request as the server hands it to the log. */
export function answeredBy({ environment }: TestMerchant, change: Partial<AnsweredRequest> = {}): AnsweredRequest {
  const { id, merchantId } = environment;
  return {
    caller: {
      environmentId: id,
      holderId: id,
      merchantId,
      kind: "SANDBOX",
      scopes: [],
      person: null,
      recheck: async () => undefined,
    },
    at: new Date(),
    requestId: "req_1",
    method: "POST",
    route: "/transfers",
    url: "/transfers",
    status: 201,
    code: null,
    durationMs: 1,
    idempotencyKey: null,
    userAgent: null,
    warning: null,
    replayed: false,
    requestBody: Buffer.from('{"narration":"Rent"}'),
    responseBody: JSON.stringify({ data: { id } }),
    ...change,
  };
}
