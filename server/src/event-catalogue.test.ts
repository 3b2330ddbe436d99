import SwaggerParser from "@apidevtools/swagger-parser";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { compileCheck } from "./platform/http/request/validation.ts";
import { foldSlices } from "./platform/slice-description.ts";
import { openApiDocument } from "./start/app.ts";
import { house } from "./start/slices.ts";

interface Webhook {
  readonly post: {
    readonly operationId: string;
    readonly requestBody: { readonly content: { readonly "application/json": { schema: object; example: unknown } } };
  };
}

describe("the catalogue of events", () => {
  test("refuses two meanings of one name", () => {
    const part = { "ant.born": { description: "An ant.", data: Type.Object({}) } };
    expect(() => foldSlices([{ events: part }, { events: part }])).toThrow("two slices have the event ant.born");
  });

  test("has dotted lower-case names and whole sentences", () => {
    for (const [name, { description }] of Object.entries(house.events)) {
      expect(name).toMatch(/^[a-z]+(\.[a-z]+)+$/);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  test("holds every event that the API promises", () => {
    const loans = ["created", "approved", "rejected", "cancelled", "disbursed", "overdue", "completed"];
    const words = [...loans, "repayment.successful", "repayment.failed"];
    const promised = [
      ...words.flatMap((word) => [`loan.${word}`, `bnpl.loan.${word}`]),
      "bill.successful",
      "bill.failed",
      "bill.reversed",
      "transfer.completed",
      "transfer.failed",
      "transfer.reversed",
      "transfer.batch.completed",
      "customer.card.link.successful",
      "customer.card.link.failed",
      "checkout.session.completed",
      "checkout.session.expired",
      "wallet.credited",
      "webhook.test",
    ];
    expect(Object.keys(house.events)).toEqual(expect.arrayContaining(promised));
  });

  test("shows each event as it was in a sandbox, but for those of live accounts and the end of an endpoint", () => {
    const unseen = Object.entries(house.events).filter(([, { example }]) => example === undefined);
    expect(unseen.map(([name]) => name)).toEqual(
      expect.arrayContaining(["webhook.endpoint.disabled", "wallet.opened", "wallet.refused"]),
    );
    expect(unseen).toHaveLength(3);
  });

  test("is the webhooks section of the OpenAPI document, with examples that fit", async () => {
    const document = openApiDocument([], "http://localhost:4000", "integrators");
    const resolved: unknown = await SwaggerParser.dereference(JSON.parse(JSON.stringify(document)));
    const { webhooks } = resolved as { webhooks: Record<string, Webhook> };
    expect(Object.keys(webhooks)).toEqual(Object.keys(house.events));
    for (const [name, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post.requestBody.content["application/json"];
      expect(example).toMatchObject({ event: name });
      expect(() => compileCheck(schema, "body")(example)).not.toThrow();
    }
    const names = Object.values(webhooks).map(({ post }) => post.operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});
