import type { BankHealth } from "@jara/sdk";
import { expect, test } from "vitest";
import { eventNames } from "../developers/developers-page.tsx";
import { inOrder } from "./banks-panel.tsx";

const bank = (bankName: string, more: Partial<BankHealth> = {}): BankHealth => ({
  bankCode: "058",
  nipCode: "000013",
  bankName,
  status: "up",
  successRate: null,
  sampleSize: 0,
  medianSeconds: null,
  lastCheckedAt: "2026-11-16T23:30:00.000Z",
  ...more,
});

test("banks that are not well come first, then those that were used, each by name", () => {
  const banks = [bank("Zenith"), bank("Access"), bank("Used", { sampleSize: 3 }), bank("Down", { status: "down" })];
  expect(inOrder(banks, "").map(({ bankName }) => bankName)).toEqual(["Down", "Used", "Access", "Zenith"]);
});

test("a bank is found by a part of its name, or by its code", () => {
  const banks = [bank("Zenith Bank", { bankCode: "057" }), bank("Access Bank", { bankCode: "044" })];
  expect(inOrder(banks, " zen ").map(({ bankCode }) => bankCode)).toEqual(["057"]);
  expect(inOrder(banks, "044").map(({ bankCode }) => bankCode)).toEqual(["044"]);
  expect(inOrder(banks, "44")).toEqual([]);
});

test("names of events are divided by commas", () => {
  expect(eventNames(" transfer.completed, bill.failed ,,")).toEqual(["transfer.completed", "bill.failed"]);
});
