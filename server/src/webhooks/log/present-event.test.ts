import { expect, test } from "vitest";
import { messageBody } from "../sending/send-webhooks.job.ts";
import { presentEvent } from "./present-event.ts";

test("an event reads the same in the log and in the body of its webhook, to the byte", () => {
  const data = { id: "x", amount: 0.1, name: 'Adéọlá \u2028 "quoted"', nested: { list: [1, null, true], "2": "b" } };
  const shared = {
    event: "transfer.completed",
    createdAt: new Date("2026-11-01T08:30:00.000Z"),
    resourceVersion: 3,
  };
  const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
  const sent = messageBody({ ...shared, eventId: id, environment: "SANDBOX", data: JSON.stringify(data) });
  expect(sent).toBe(JSON.stringify(presentEvent({ ...shared, id, data }, "SANDBOX")));
});
