import { describe, expect, test } from "vitest";
import { areLastAt, feedStart, mergeResends, readCursor, writeCursor } from "./feed.ts";

const eventId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("a cursor", () => {
  test.each([
    feedStart,
    { position: 1n, eventId },
    { position: 1n, eventId, resend: 0n },
    { position: 1n, eventId, resend: 17n },
    { position: 999_999_999_999_999_999n, eventId, resend: 999_999_999_999_999_999n },
  ])("is read as it was written: %o", (place) => {
    expect(readCursor(writeCursor(place))).toEqual(place);
  });

  test("before the first event has no place among resends, because each of them comes after an event", () => {
    expect(readCursor(writeCursor({ ...feedStart, resend: 0n }))).toEqual(feedStart);
  });

  test.each([
    ["nothing", ""],
    ["a number", "17"],
    ["a position without its event", Buffer.from("17/").toString("base64url")],
    ["position 0 with an event", Buffer.from(`0/${eventId}`).toString("base64url")],
    ["a negative position", Buffer.from(`-1/${eventId}`).toString("base64url")],
    ["a position beyond every list", Buffer.from(`${"9".repeat(19)}/${eventId}`).toString("base64url")],
    ["something after the end", Buffer.from(`1/${eventId}\n`).toString("base64url")],
    ["a word", "latest"],
    ["a resend before the first", Buffer.from(`1/${eventId}/-1`).toString("base64url")],
    ["a resend that is no number", Buffer.from(`1/${eventId}/01`).toString("base64url")],
    ["a resend beyond every list", Buffer.from(`1/${eventId}/${"9".repeat(19)}`).toString("base64url")],
    ["a resend before the first event", Buffer.from("0//1").toString("base64url")],
  ])("is not %s", (_name, text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});

describe("events and resends", () => {
  const at = new Date("2026-11-01T08:00:00.000Z");
  const numbered = (...positions: bigint[]) =>
    positions.map((position) => ({ position, id: `id-${position}`, event: `event ${position}` }));
  const resent = (...places: [position: bigint, afterEvent: bigint][]) =>
    places.map(([position, afterEvent]) => ({ position, afterEvent, at, event: `resend ${position}` }));

  test.each([
    ["nothing", [], [], []],
    ["events alone", numbered(6n, 7n), [], ["event 6", "event 7"]],
    ["a resend after the event that was the last then", numbered(6n, 7n), resent([1n, 6n]), "event 6,resend 1,event 7"],
    ["several after one event", numbered(6n), resent([1n, 6n], [2n, 6n]), "event 6,resend 1,resend 2"],
    ["one that was committed late", numbered(6n, 7n), resent([1n, 4n], [2n, 7n]), "resend 1,event 6,event 7,resend 2"],
  ])("come in one order: %s", (_name, events, resends, order) => {
    const merged = mergeResends({ position: 5n, eventId: "id-5", resend: 0n }, events, resends);
    expect(merged.map(({ event }) => event).join()).toBe(String(order));
  });

  test("each have a place in both lists, and the resends their time", () => {
    const from = { position: 5n, eventId: "id-5", resend: 3n };
    expect(mergeResends(from, numbered(6n, 7n), resent([4n, 6n]))).toEqual([
      { event: "event 6", resentAt: null, place: { position: 6n, eventId: "id-6", resend: 3n } },
      { event: "resend 4", resentAt: at, place: { position: 6n, eventId: "id-6", resend: 4n } },
      { event: "event 7", resentAt: null, place: { position: 7n, eventId: "id-7", resend: 4n } },
    ]);
  });
});

describe("a reader who waits", () => {
  test("is woken by events, and by a list that is shorter, as after a reset", () => {
    expect(areLastAt({ position: 7n })({ events: 7n, resends: 0n })).toBe(true);
    expect(areLastAt({ position: 7n })({ events: 8n, resends: 0n })).toBe(false);
    expect(areLastAt({ position: 7n })(undefined)).toBe(false);
    expect(areLastAt({ position: 0n })(undefined)).toBe(true);
  });

  test("is woken by resends only after asking for them", () => {
    expect(areLastAt({ position: 7n })({ events: 7n, resends: 1n })).toBe(true);
    expect(areLastAt({ position: 7n, resend: 0n })({ events: 7n, resends: 1n })).toBe(false);
  });
});
