import { expect, test } from "vitest";
import { sdkTypes } from "./api-types.ts";

const gift = {
  type: "object",
  required: ["gift_code", "amount", "made_at"],
  properties: {
    gift_code: { type: "string", description: "Shown with made_at." },
    amount: { $ref: "#/components/schemas/Naira" },
    made_at: { type: "string", format: "date-time" },
    currency: { type: "string", enum: ["NGN"] },
    note: { type: ["string", "null"] },
    metadata: { type: "object", additionalProperties: { type: "string" } },
  },
};

const envelope = (data: object, more: object = {}) => ({
  content: { "application/json": { schema: { properties: { data, ...more } } } },
});

const refusal = {
  content: {
    "application/json": {
      schema: {
        allOf: [
          { properties: { code: { type: "string" } } },
          {
            properties: {
              code: { const: "gift_gone" },
              data: { type: "object", properties: { gone_since: { type: "string" } }, required: ["gone_since"] },
            },
          },
        ],
      },
    },
  },
};

const types = sdkTypes(
  JSON.stringify({
    paths: {
      "/gifts/{id}": {
        post: {
          operationId: "giveGift",
          summary: "Give a gift",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "from", in: "query", schema: { type: "string", format: "moment" } },
          ],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Gift" } } },
          },
          responses: { 201: envelope({ $ref: "#/components/schemas/Gift" }), 409: refusal },
        },
        get: {
          operationId: "listGifts",
          responses: { 200: envelope({ type: "array", items: { $ref: "#/components/schemas/Gift" } }, { meta: {} }) },
        },
      },
    },
    webhooks: {
      "gift.given": {
        post: {
          operationId: "onGift",
          requestBody: {
            content: {
              "application/json": { schema: { properties: { data: { $ref: "#/components/schemas/Gift" } } } },
            },
          },
          responses: {},
        },
      },
    },
    components: { schemas: { Gift: gift, Naira: { type: "number", format: "naira" } }, responses: {}, parameters: {} },
  }),
);

test("what comes back is exact, in camelCase, and its comments speak camelCase too", () => {
  expect(types).toContain(`export interface Gift {
  /** Shown with madeAt. */
  giftCode: string;
  amount: number;
  madeAt: string;
  currency?: "NGN";
  note?: string | null;
  metadata?: Record<string, string>;
}`);
});

test("what is sent takes money as text, moments as Date, and undefined for what is left out", () => {
  expect(types).toContain(`export interface NewGift {
  /** Shown with madeAt. */
  giftCode: string;
  amount: Amount;
  madeAt: string | Date;
  currency?: "NGN" | undefined;
  note?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
}`);
  expect(types).toContain("export interface GiveGiftQuery {\n  from?: string | Date | undefined;\n}");
});

test("every operation, event and refusal is there by its name", () => {
  expect(types).toContain(
    '"POST /gifts/{id}": { input: { path: { id: string }; query?: GiveGiftQuery; body: NewGift }; data: Gift };',
  );
  expect(types).toContain('"GET /gifts/{id}": { input: {}; item: Gift };');
  expect(types).toContain('"gift.given": Gift;');
  expect(types).toContain('export type ErrorCode =\n  | "gift_gone";');
  expect(types).toContain("gift_gone: {\n    goneSince: string;\n  };");
});
