import { describe, expect, test } from "vitest";
import { feedStart, readCursor, writeCursor } from "./feed.ts";

const eventId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("a cursor", () => {
  test.each([feedStart, { position: 1n, eventId }, { position: 999_999_999_999_999_999n, eventId }])(
    "is read as it was written: %o",
    (place) => {
      expect(readCursor(writeCursor(place))).toEqual(place);
    },
  );

  test.each([
    ["nothing", ""],
    ["a number", "17"],
    ["a position without its event", Buffer.from("17/").toString("base64url")],
    ["position 0 with an event", Buffer.from(`0/${eventId}`).toString("base64url")],
    ["a negative position", Buffer.from(`-1/${eventId}`).toString("base64url")],
    ["a position beyond every list", Buffer.from(`${"9".repeat(19)}/${eventId}`).toString("base64url")],
    ["something after the end", Buffer.from(`1/${eventId}\n`).toString("base64url")],
    ["a word", "latest"],
  ])("is not %s", (_name, text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});
