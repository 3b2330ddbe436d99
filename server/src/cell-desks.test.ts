import { expect, test } from "vitest";
import type { ClaimedBill } from "./bills/start-at-once.ts";
import { createCellDesks } from "./cell-desks.ts";
import type { ClaimedTransfer } from "./transfers/start-at-once.ts";

const lane = (environmentId: string) => ({ environmentId, counterparty: "058" });
const claimed = (environmentId: string) => ({ environmentId, transfer: {}, fresh: true }) as ClaimedTransfer;

function open() {
  const moving = new Set<string>();
  const desksOf = createCellDesks({
    cellOf: (id) => (id === "far" ? "abuja" : undefined),
    isMoving: (id) => moving.has(id),
  });
  const started: string[] = [];
  const sit = (cell: string | undefined, room: number) =>
    desksOf(cell).sendingDesk.join("LIVE", {
      room: () => room,
      start: ({ environmentId }) => void started.push(`${environmentId} at ${cell ?? "home"}`),
    });
  return { moving, desksOf, started, sit };
}

test("a payout goes to the worker of the cell where it lives, whoever accepted it", () => {
  const { desksOf, started, sit } = open();
  sit(undefined, 5);
  sit("abuja", 7);
  for (const { sendingDesk } of [desksOf(), desksOf("abuja")]) {
    expect([sendingDesk.room("LIVE", lane("near")), sendingDesk.room("LIVE", lane("far"))]).toEqual([5, 7]);
  }
  desksOf().sendingDesk.start("LIVE", [claimed("near"), claimed("far")]);
  expect(started).toEqual(["near at home", "far at abuja"]);
});

test("a cell without a worker has no room, and so has an environment on its way", () => {
  const { desksOf, moving, sit } = open();
  sit(undefined, 5);
  const { sendingDesk } = desksOf();
  expect(sendingDesk.room("LIVE", lane("far"))).toBe(0);
  moving.add("near");
  expect(sendingDesk.room("LIVE", lane("near"))).toBe(0);
});

test("bills have desks beside those of payouts, and are led the same way", () => {
  const { desksOf, moving, started, sit } = open();
  sit("abuja", 7);
  const vended: string[] = [];
  desksOf("abuja").vendingDesk.join("LIVE", { room: () => 3, start: (row) => void vended.push(row.environmentId) });
  const { vendingDesk } = desksOf();
  expect([vendingDesk.room("LIVE", lane("far")), vendingDesk.room("LIVE", lane("near"))]).toEqual([3, 0]);
  moving.add("far");
  expect(vendingDesk.room("LIVE", lane("far"))).toBe(0);
  vendingDesk.start("LIVE", [{ environmentId: "far", bill: {}, fresh: true } as ClaimedBill]);
  expect([vended, started]).toEqual([["far"], []]);
  desksOf("abuja").vendingDesk.leave("LIVE");
  moving.clear();
  expect(vendingDesk.room("LIVE", lane("far"))).toBe(0);
});

test("webhooks go with the sender of their cell, and not while their environment moves", () => {
  const { desksOf, moving } = open();
  const asked: string[] = [];
  for (const cell of ["home", "abuja"]) {
    desksOf(cell).deliveryDesk.join({
      reserve: (_kind, environmentId, events) => void asked.push(`${cell}: ${events} of ${environmentId}`),
    });
  }
  desksOf().deliveryDesk.reserve("LIVE", "far", 3);
  desksOf("abuja").deliveryDesk.reserve("LIVE", "near", 2);
  moving.add("far");
  desksOf().deliveryDesk.reserve("LIVE", "far", 1);
  expect(asked).toEqual(["abuja: 3 of far", "home: 2 of near"]);
});
