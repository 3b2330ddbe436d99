import { expect, test } from "vitest";
import { button, hasButton, shown } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { pages } from "../testing/lists.ts";
import { BatchesPage } from "./batches-page.tsx";

const batch = {
  batchId: "b-1",
  batchReference: "may-abc123",
  status: "processing",
  totalCount: 4,
  acceptedCount: 3,
  rejectedCount: 1,
  openCount: 2,
  totalAmount: 10_000.5,
  totalFee: 43,
  createdAt: "2026-11-16T18:45:31.284Z",
  completedAt: null,
};

test("a batch is a row that leads to its page, and a file is uploaded from here", async () => {
  replyWith({ [`GET ${door}/transfers/bulk`]: pages([batch]) });
  await drawInConsole(<BatchesPage />);
  await expect.poll(shown).toContain("₦10,000.50");
  expect(button("may-abc123").getAttribute("href")).toBe("/env-1/bulk/b-1");
  expect(button("Upload a file").getAttribute("href")).toBe("/env-1/bulk/new");
});

test("a viewer uploads nothing, and an empty list says what will be here", async () => {
  replyWith({ [`GET ${door}/transfers/bulk`]: pages([]) });
  await drawInConsole(<BatchesPage />, { role: "viewer" });
  await expect.poll(shown).toContain("No bulk payouts yet");
  expect(hasButton("Upload a file")).toBe(false);
});
