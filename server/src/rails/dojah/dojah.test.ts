import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { ada, type DojahTwin, dojahKeys, startDojahTwin } from "../../../testing/providers/dojah-twin.ts";
import {
  type IdentityFate,
  type IdentitySubject,
  identityContract,
  wrongIdentityRails,
} from "../../../testing/providers/identity-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { kobo } from "../../money/kobo.ts";
import { checkAddress } from "../check-connection.ts";
import type { IdentityQuestion } from "../identity.ts";
import { namesFit, readDate } from "../person-names.ts";
import type { Connected, ConnectionMode } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { classifyBalance, classifyBvn, classifyNin, classifyPhone } from "./classify.ts";
import { dojah } from "./provider.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const truth: IdentityQuestion = {
  environmentId: "e",
  bvn: ada.bvn,
  nin: ada.nin,
  firstName: "Adaobi",
  lastName: "O’Koro-Eze",
  phone: "+2348031234567",
  dateOfBirth: ada.born,
};

interface Opened extends IdentitySubject {
  readonly twin: DojahTwin;
  readonly connected: Connected;
}

async function connect(mode: ConnectionMode = "test", credentials = dojahKeys): Promise<Opened> {
  const twin = await startDojahTwin();
  opened.push(() => twin.close());
  const connected = dojah.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials });
  if (connected.identity === undefined) throw new Error("Dojah is connected without its identity rail");
  return { twin, connected, rail: connected.identity, question: meeting(twin) };
}

const meeting = (twin: DojahTwin) => (fate: IdentityFate) => {
  if (fate === "down") twin.misbehave(["unavailable"]);
  if (fate === "other_phone") return { ...truth, phone: "+2348039999999" };
  return fate === "mismatched" ? { ...truth, lastName: "Bello" } : truth;
};

keepContract("identity rails: Dojah on its twin", identityContract, wrongIdentityRails, () => connect());

const answer = (body: unknown, status = 200): WireReply => ({ kind: "answer", status, body, headers: {} });
const sure = { confidence_value: 100, status: true };
const flags = {
  bvn: { value: ada.bvn, status: true },
  first_name: sure,
  last_name: sure,
  date_of_birth: { status: true },
};
const bvnOutcome = (body: unknown, status = 200) => classifyBvn(answer(body, status), truth).outcome;

describe("the flags of a BVN", () => {
  test.each<[string, object, string]>([
    ["all true", {}, "matched"],
    ["80 is sure enough", { last_name: { confidence_value: 80, status: true } }, "matched"],
    ["79 is not, whatever Dojah says", { last_name: { confidence_value: 79, status: true } }, "mismatched"],
    ["60 is not", { first_name: { confidence_value: "60", status: true } }, "mismatched"],
    ["no confidence", { first_name: { status: true } }, "unavailable"],
    ["the first name does not fit", { first_name: { confidence_value: 10, status: false } }, "mismatched"],
    ["the last name does not fit", { last_name: { confidence_value: 99, status: false } }, "mismatched"],
    ["the birthday does not fit", { date_of_birth: { status: false } }, "mismatched"],
    ["no last name", { last_name: undefined }, "unavailable"],
    ["no birthday", { date_of_birth: undefined }, "unavailable"],
    ["nobody has the BVN", { bvn: { value: ada.bvn, status: false } }, "mismatched"],
    ["no word on the BVN", { bvn: { value: ada.bvn } }, "unavailable"],
    ["the zero in front was lost on their side", { bvn: { value: 2345678901, status: true } }, "matched"],
    ["another BVN", { bvn: { value: "22222222222", status: true } }, "unavailable"],
    ["true in words", { first_name: { confidence_value: 100, status: "true" } }, "unavailable"],
  ])("%s", (_, change, outcome) => {
    expect(bvnOutcome({ entity: { ...flags, ...change } })).toBe(outcome);
  });

  test("a birthday that nobody asked about is not needed", () => {
    const asked = { ...truth, dateOfBirth: null };
    expect(classifyBvn(answer({ entity: { ...flags, date_of_birth: undefined } }), asked)).toEqual({
      outcome: "matched",
      phone: "untold",
    });
  });

  test("the record itself is compared here", () => {
    const record = {
      bvn: ada.bvn,
      first_name: "ADAOBI",
      last_name: "OKORO EZE",
      date_of_birth: "16-May-1990",
      image: "x",
    };
    expect(bvnOutcome({ entity: record })).toBe("matched");
    expect(bvnOutcome({ entity: { ...record, last_name: "OKORO BELLO" } })).toBe("mismatched");
    expect(bvnOutcome({ entity: { ...record, last_name: undefined } })).toBe("unavailable");
  });
});

describe("errors", () => {
  test.each([
    [404, "BVN not found", "mismatched"],
    [400, "Invalid BVN", "mismatched"],
    [400, "The BVN provided is invalid", "mismatched"],
    [404, "URL not recognised or record not found", "unavailable"],
    [400, "Bad request", "unavailable"],
    [400, "BVN service is invalid for this plan", "unavailable"],
    [424, "BVN not found", "unavailable"],
    [500, "BVN not found", "unavailable"],
    [405, "Method not allowed", "unavailable"],
    [408, "Timeout", "unavailable"],
    [429, "Too many requests", "unavailable"],
  ])("%i %s is %s", (status, error, outcome) => {
    expect(bvnOutcome({ error }, status)).toBe(outcome);
  });

  test.each([
    [401, "keys_refused"],
    [402, "float_empty"],
    [403, "not_enabled"],
  ])("%i holds the connection and refuses nobody: %s", (status, reason) => {
    const held = { outcome: "unavailable", hold: { reason, message: "BVN … not found" } };
    expect(classifyBvn(answer({ error: "BVN 02345678901 not found" }, status), truth)).toEqual(held);
  });

  test("no answer, a page and half a body refuse nobody", () => {
    for (const reply of [answer(undefined), answer(undefined, 404), { kind: "no_answer", why: "x" } as const]) {
      expect(classifyBvn(reply, truth)).toEqual({ outcome: "unavailable" });
      expect(classifyNin(reply, { ...truth, nin: ada.nin })).toEqual({ outcome: "unavailable" });
    }
  });

  test("whatever arrives is one of three answers, and nobody is matched by accident", () => {
    const word = fc.oneof(fc.boolean(), fc.jsonValue());
    const field = fc.oneof(
      fc.record({ status: word, confidence_value: fc.oneof(fc.integer(), fc.jsonValue()) }),
      fc.jsonValue(),
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ entity: fc.record({ bvn: field, first_name: field, last_name: field, date_of_birth: field }) }),
    );
    fc.assert(
      fc.property(body, fc.constantFrom(200, 200, 400, 404, 500), (found, status) => {
        const { outcome } = classifyBvn(answer(found, status), truth);
        expect(["matched", "mismatched", "unavailable"]).toContain(outcome);
        if (outcome === "matched")
          expect(JSON.stringify(found).match(/"status":true/g)?.length).toBeGreaterThanOrEqual(4);
        classifyNin(answer(found, status), { ...truth, nin: ada.nin });
        classifyBalance(answer(found, status));
      }),
      { numRuns: 2_000 },
    );
  });
});

const theirs = { first: "ADÉ-OLU", middle: "Grace", last: "O'BRIEN" };

test.each([
  ["Ade Olu", "OBrien", true],
  ["ade-olu", "o’brien", true],
  ["Olu", "O'Brien", true],
  ["O'Brien", "Ade", true],
  ["Ade Grace", "Obrien", true],
  ["Ade", "Grace", false],
  ["Grace", "Obrien", false],
  ["Ade", "Bello", false],
  ["Ade Tunde", "Obrien", false],
  ["Ade", "", false],
  ["", "", false],
])("%s %s fits the register: %s", (firstName, lastName, fits) => {
  expect(namesFit({ firstName, lastName }, theirs)).toBe(fits);
});

test.each([
  ["1990-05-16", "1990-05-16"],
  ["1990-05-16T00:00:00.000Z", "1990-05-16"],
  ["16-05-1990", "1990-05-16"],
  ["16/05/1990", "1990-05-16"],
  ["6-May-1990", "1990-05-06"],
  ["16 May 1990", "1990-05-16"],
  ["31-02-1990", undefined],
  ["05/16/1990", undefined],
  ["", undefined],
])("the date %s is %s", (text, date) => {
  expect(readDate(text)).toBe(date);
});

describe("asking", () => {
  test("the BVN keeps the zero in front, and names go as they are", async () => {
    const { rail, twin } = await connect();
    await rail.verify({ ...truth, nin: null });
    expect(Object.fromEntries(twin.calls[0]?.request.query ?? [])).toEqual({
      bvn: "02345678901",
      first_name: "Adaobi",
      last_name: "O’Koro-Eze",
      dob: "1990-05-16",
    });
    expect(twin.calls[0]?.request.headers).toMatchObject({ authorization: dojahKeys.secretKey });
  });

  test.each([
    ["0803 123 4567", "fits"],
    ["2348031234567", "fits"],
    ["8031234567", "fits"],
    ["08039999999", "differs"],
    ["unknown", "untold"],
    [null, "untold"],
  ])("the record's phone %s against the person's: %s", async (phone, fit) => {
    for (const reply of ["flags", "record"] as const) {
      const { rail, twin } = await connect();
      twin.manner.reply = reply;
      twin.people.splice(0, 1, { ...ada, phone });
      expect(await rail.verify({ ...truth, nin: null })).toEqual({ outcome: "matched", phone: fit });
    }
  });

  test("a record that cannot be had, or is another BVN's, proves nothing and refuses nobody", () => {
    const record = { bvn: "22222222222", phone_number1: "08031234567" };
    expect(classifyPhone(answer({ entity: record }), truth)).toBe("untold");
    for (const status of [400, 402, 404, 500])
      expect(classifyPhone(answer({ error: "no" }, status), truth)).toBe("untold");
    expect(classifyPhone({ kind: "no_answer", why: "lost" }, truth)).toBe("untold");
  });

  test("a NIN is looked up after the BVN has matched, in either shape, and must fit too", async () => {
    const { rail, twin } = await connect();
    for (const shape of ["snake", "run_together"] as const) {
      twin.manner.nin = shape;
      expect(await rail.verify(truth)).toEqual({ outcome: "matched", phone: "fits" });
    }
    twin.people.push({ ...ada, bvn: "00000000001", nin: "99999999999", first: "MUSA", last: "BELLO" });
    expect(await rail.verify({ ...truth, nin: "99999999999" })).toMatchObject({ outcome: "mismatched" });
    expect(await rail.verify({ ...truth, nin: "11111111111" })).toMatchObject({ outcome: "mismatched" });
    const before = twin.count("GET /api/v1/kyc/nin");
    await rail.verify({ ...truth, lastName: "Bello" });
    expect(twin.count("GET /api/v1/kyc/nin")).toBe(before);
  });

  test("a NIN without an answer is unavailable although the BVN fits", async () => {
    const { rail, twin } = await connect();
    twin.misbehave(["bad_gateway_after"], "GET /api/v1/kyc/nin");
    expect(await rail.verify(truth)).toEqual({ outcome: "unavailable" });
  });

  test("an empty wallet holds the connection and refuses nobody", async () => {
    const { rail, twin } = await connect();
    twin.manner.wallet = 0;
    expect(await rail.verify(truth)).toMatchObject({ outcome: "unavailable", hold: { reason: "float_empty" } });
  });

  test("the published numbers are nobody's in live, and are not asked about", async () => {
    const { rail, twin } = await connect("live");
    expect(await rail.verify({ ...truth, bvn: "22222222222" })).toMatchObject({ outcome: "mismatched" });
    expect(await rail.verify({ ...truth, nin: "70123456789" })).toMatchObject({ outcome: "mismatched" });
    expect(twin.calls).toEqual([]);
  });

  test("no answer tells what the register has", async () => {
    const { rail, twin } = await connect();
    twin.manner.reply = "record";
    const said = JSON.stringify([await rail.verify(truth), await rail.verify({ ...truth, lastName: "Bello" })]);
    expect(said).not.toMatch(/ADAOBI|KORO|1990|\d{11}|Allen|4AAQ/i);
  });
});

describe("our account at Dojah", () => {
  test("is looked at before it is trusted", async () => {
    const { connected } = await connect();
    expect(await connected.check()).toMatchObject([
      { name: "mode", result: "ok" },
      { name: "balance", result: "ok" },
    ]);
    expect(await connected.readFloat?.()).toEqual({ available: kobo(500_050n) });
  });

  test("wrong keys fail the check", async () => {
    const { connected } = await connect("test", { ...dojahKeys, secretKey: "wrong" });
    expect(await connected.check()).toContainEqual(expect.objectContaining({ name: "balance", result: "failed" }));
  });

  test.each([
    ["live", "https://sandbox.dojah.io"],
    ["test", "https://api.dojah.io"],
  ] as const)("mode %s does not go with %s", (mode, baseUrl) => {
    const settings = { connectionId: "c", mode, baseUrl, credentials: {} };
    const hosts = { live: ["api.dojah.io"], test: ["sandbox.dojah.io"] };
    expect(checkAddress(settings, hosts)).toMatchObject({ result: "failed" });
  });
});
