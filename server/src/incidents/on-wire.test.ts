/** Incidents as operators write them and anybody reads them, and words that give nobody away. */
import { beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { keysOf } from "../platform/keys-of.ts";
import { type Incident, incidentStates, overAfterSeconds } from "./incident.ts";
import { partNames, railParts, workParts } from "./part.ts";
import { incidentData, listQuery, openBody, presentIncident, refuseTellingWords, updateBody } from "./routes.ts";

const body = {
  title: "Payouts to some banks are slow",
  message: "Our provider has a fault.",
  condition: "slow",
  parts: ["bank"],
};
const complaints = complaintsOf(openBody);

describe("the body of an incident", () => {
  test("says what is wrong, with what, and how badly; since when is optional", () => {
    expect(complaints(body)).toEqual({});
    expect(complaints({ ...body, startedAt: "2026-11-01T08:30:00Z" })).toEqual({});
    expect(Object.keys(complaints({}))).toEqual(Object.keys(body));
  });

  test("may name every part that merchants know, each once", () => {
    expect(complaints({ ...body, parts: keysOf(partNames) })).toEqual({});
    expect(complaints({ ...body, parts: ["bank", "bank"] })).toEqual({ parts: "must not repeat an item" });
  });

  test.each([
    [{ title: " " }, "title"],
    [{ title: "x".repeat(121) }, "title"],
    [{ message: "\n" }, "message"],
    [{ message: "x".repeat(2_001) }, "message"],
    [{ condition: "down" }, "condition"],
    [{ parts: [] }, "parts"],
    [{ parts: ["Payouts to banks"] }, "parts[0]"],
    [{ startedAt: "yesterday" }, "startedAt"],
    [{ startedAt: "2026-11-01" }, "startedAt"],
  ])("with %j is refused", (change, field) => {
    expect(Object.keys(complaints({ ...body, ...change }))).toEqual([field]);
  });

  test.each(incidentStates)("may be followed by words about its being %s", (state) => {
    expect(complaintsOf(updateBody)({ state, message: "It is." })).toEqual({});
  });

  test.each([
    { state: "open", message: "x" },
    { state: "resolved", message: "" },
  ])("is not followed by %j", (update) => {
    expect(Object.keys(complaintsOf(updateBody)(update))).toHaveLength(1);
  });

  test("is listed by whether it is open, not by its states", () => {
    expect(complaintsOf(listQuery, "query")({ state: "open" })).toEqual({});
    expect(complaintsOf(listQuery, "query")({ state: "watching" })).toHaveProperty("state");
  });
});

test("every rail and every kind of work is a part of its own, with a name of its own", () => {
  const names = Object.values(partNames);
  expect(new Set(names).size).toBe(names.length);
  expect(keysOf(railParts).filter((part) => part in workParts)).toEqual([]);
});

test("what is not seen for two minutes is over, which several looks of a worker have to miss", () => {
  expect(overAfterSeconds).toBeGreaterThanOrEqual(3 * 30);
});

describe("an incident as it is shown", () => {
  const at = new Date("2026-11-01T08:30:00.000Z");
  const incident: Incident = {
    id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
    source: "operator",
    title: body.title,
    condition: "slow",
    parts: ["bank", "api"],
    state: "watching",
    startedAt: at,
    endedAt: null,
    withdrawnAt: null,
    createdAt: at,
    updates: [{ state: "watching", message: "We watch it.", writtenBy: "ada@example.com", writtenAt: at }],
  };

  test.each([null, at])("fits the document while it lasts and when it is over: %s", (endedAt) => {
    const shown = presentIncident({ ...incident, endedAt, withdrawnAt: endedAt });
    expect(complaintsOf(incidentData)(shown)).toEqual({});
    expect(shown.endedAt).toBe(endedAt === null ? null : at.toISOString());
  });

  test("hands out copies, so that nobody changes what is remembered", () => {
    const shown = presentIncident(incident);
    shown.parts.push("books");
    expect(incident.parts).toEqual(["bank", "api"]);
  });
});

describe("words that anybody reads", async () => {
  const { db } = await createTestDatabase();
  beforeAll(async () => {
    await createMerchant(db, "Mama Put Foods");
  });
  const judge = (fields: Readonly<Record<string, string>>) =>
    inEnvironment(db, operatorScope, (tx) => refuseTellingWords(tx, fields)).then(
      () => [],
      (error: { errors: { field: string; message: string }[] }) => error.errors.map(({ field }) => field),
    );

  test.each([
    "Payouts to some banks are slow",
    "Since 08:30 on 1 November 2026, 12,500 payouts wait.",
    "Reference 123456789 has nine digits.",
  ])("may be %j", async (title) => {
    expect(await judge({ title })).toEqual([]);
  });

  test.each([
    "Account 0690000032 was not credited",
    "Call 0803 123 4567",
    "BVN 22-123-456-789",
    "card 5060 6666 6666 6666 666",
    "We rotated sk_live_abcdefghijklmnopqrstuvwx",
  ])("are not %j", async (title) => {
    expect(await judge({ title })).toEqual(["title"]);
  });

  test("do not name a merchant, and every field that does is told", async () => {
    expect(await judge({ title: "Mama Put Foods waits", message: "for Mama Put Foods" })).toEqual(["title", "message"]);
  });
});
