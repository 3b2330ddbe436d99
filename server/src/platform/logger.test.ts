import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { aboutRecord, aboutRequest } from "./log-subject.ts";
import { createLogger, type Logger } from "./logger.ts";

const secretKey = "sk_test_9fK2mPq7Rt4Vx8Zb3Nc6Wd1Ye5Ha0Jg2Lk4Qs";
const liveKey = "sk_live_9fK2mPq7Rt4Vx8Zb3Nc6Wd1Ye5Ha0Jg2Lk4Qs";
const operatorToken = "op_9fK2mPq7Rt4Vx8Zb3Nc6Wd1Ye5Ha0Jg2";
const webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const bvn = "22212345678";
const nin = "70123456789";
const card = "4084084084084081";
const verve = "5060666666666666666";

function watched(): { log: Logger; written: () => string } {
  const lines: string[] = [];
  const log = createLogger({ level: "trace", destination: { write: (line) => lines.push(line) } });
  return { log, written: () => lines.join("") };
}

const folder = mkdtempSync(join(tmpdir(), "jara-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As a person has it: the log in a file, and what they should know on the screen. */
function friendly(): { log: Logger; screen: () => string; file: string } {
  const lines: string[] = [];
  const file = join(mkdtempSync(join(folder, "home-")), "server.log");
  const log = createLogger({ level: "trace", file, destination: { write: (line) => lines.push(line) } });
  return { log, screen: () => lines.join(""), file };
}

class UpstreamError extends Error {
  readonly detail: string;
  readonly request: unknown;
  constructor(message: string, detail: string, request: unknown, cause?: unknown) {
    super(message, { cause });
    this.detail = detail;
    this.request = request;
  }
}

const attempts: [string, string, (log: Logger) => void][] = [
  ["a key in the message", secretKey, (log) => log.info(`called with ${secretKey}`)],
  ["a live key in a field", liveKey, (log) => log.info({ note: liveKey }, "noted")],
  ["a key as a format argument", secretKey, (log) => log.info("called with %s", secretKey)],
  ["a key inside an object argument", secretKey, (log) => log.info("called with %j", { a: secretKey })],
  ["an operator token in an array", operatorToken, (log) => log.warn({ seen: [1, [operatorToken]] }, "seen")],
  ["a webhook secret in a query string", webhookSecret, (log) => log.info({ url: `/x?s=${webhookSecret}` }, "got")],
  ["the Authorization header", "abc123xyz", (log) => log.info({ req: { headers: { authorization: "abc123xyz" } } })],
  ["Authorization in odd case", "abc123xyz", (log) => log.info({ raw: { Authorization: "abc123xyz" } })],
  ["a bearer value in text", "eyJhbGciOi", (log) => log.info("sent Bearer eyJhbGciOi.e30.x to them")],
  ["raw header pairs", secretKey, (log) => log.info({ rawHeaders: ["Authorization", `Bearer ${secretKey}`] })],
  ["a BVN field at depth", bvn, (log) => log.info({ a: { b: [{ c: { bvn } }] } })],
  ["a BVN under another name", "22299", (log) => log.info({ customerBvn: "22299", guarantor_bvn: "22299" })],
  ["a BVN as a number", bvn, (log) => log.info({ bvn: Number(bvn) })],
  ["a BVN with no name at all", bvn, (log) => log.info({ list: [bvn] }, "looked up")],
  ["an NIN in prose", nin, (log) => log.error(`no person has NIN ${nin}`)],
  ["an NIN in escaped JSON", nin, (log) => log.info({ body: JSON.stringify({ user: { nin } }) })],
  ["an NIN in a form body", nin, (log) => log.info({ body: `name=Ada&nin=${nin}&x=1` })],
  ["a one-time password field", "135790", (log) => log.info({ otp: "135790", nested: { otp_code: 135790 } })],
  ["a one-time password in prose", "135790", (log) => log.info("Your OTP is 135790.")],
  ["a one-time password in escaped JSON", "135790", (log) => log.info({ body: '{"otp":"135790"}' })],
  ["a card number in prose", card, (log) => log.info(`charged ${card} today`)],
  ["a card number in groups", "4084 0840", (log) => log.info("charged 4084 0840 8408 4081")],
  ["a card number with hyphens", "4084-0840", (log) => log.info({ x: ["4084-0840-8408-4081"] })],
  ["a card number glued to a word", card, (log) => log.info(`pan${card}end`)],
  ["a card number as a number", card, (log) => log.info({ value: Number(card) })],
  ["a nineteen-digit card as a bigint", verve.slice(0, 12), (log) => log.info({ value: BigInt(verve) })],
  ["a card field", "9999", (log) => log.info({ card_number: "9999", cardNumber: "9999", cvv: "9999", pin: "9999" })],
  ["a password field", "hunter22", (log) => log.info({ user: { password: "hunter22", newPassword: "hunter22" } })],
  ["a password in an address", "hunter22", (log) => log.info("connecting to postgres://jara:hunter22@db/jara")],
  [
    "a cookie",
    "sid=hunter22",
    (log) => log.info({ headers: { cookie: "sid=hunter22", "Set-Cookie": "sid=hunter22" } }),
  ],
  ["a bound field of a child", secretKey, (log) => log.child({ caller: secretKey }).info("hello")],
  ["a bound secret of a grandchild", bvn, (log) => log.child({ a: 1 }).child({ person: { bvn } }).info("hello")],
  ["an error's message", secretKey, (log) => log.error(new Error(`bad key ${secretKey}`))],
  ["an error's cause", bvn, (log) => log.error(new Error("outer", { cause: new Error(`bvn=${bvn}`) }), "failed")],
  ["an error's database detail", bvn, (log) => log.error(upstream(`Key (bvn)=(${bvn}) already exists.`), "failed")],
  ["an error's own fields", nin, (log) => log.error({ err: upstream("", { body: { nin } }) }, "failed")],
  ["an error among several", card, (log) => log.error(new AggregateError([new Error(`card ${card}`)], "all failed"))],
  ["the master key", "qqqqqqqqqqqq", (log) => log.info(`key is v1:${"q".repeat(43)}=`)],
];

function upstream(detail: string, request: unknown = {}): UpstreamError {
  return new UpstreamError("upstream refused", detail, request);
}

describe("what must never be written down", () => {
  test.each(attempts)("%s", (_name, secret, attempt) => {
    const { log, written } = watched();
    attempt(log);
    expect(written()).toContain("[redacted]");
    expect(written()).not.toContain(secret);
    for (const line of written().trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  test.each(attempts)("in the file and on the screen: %s", (_name, secret, attempt) => {
    const { log, screen, file } = friendly();
    attempt(log);
    expect(readFileSync(file, "utf8")).toContain("[redacted]");
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    expect(screen()).not.toContain(secret);
  });
});

describe("a person", () => {
  test("sees warnings and errors, a readable line each, and the file has everything", () => {
    const { log, screen, file } = friendly();
    log.info("Server listening at http://127.0.0.1:4000");
    log.warn({ err: new Error("connection reset") }, "a database connection was lost");
    log.error("a job failed");
    const lines = screen().trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/WARN.*a database connection was lost: connection reset$/),
      expect.stringMatching(/ERROR.*a job failed$/),
    ]);
    expect(screen()).not.toMatch(/[{}]|\n\s+at /);
    const kept = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(kept.map((line) => JSON.parse(line).level)).toEqual(["info", "warn", "error"]);
    expect(JSON.parse(kept[1] ?? "").err.stack).toContain("    at ");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("finds the log of earlier starts in the same file, and a long one beside it", () => {
    const { log, file } = friendly();
    log.info("first");
    createLogger({ level: "info", file }).info("second");
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
    truncateSync(file, 11 * 1024 * 1024);
    createLogger({ level: "info", file }).info("third");
    expect(readFileSync(file, "utf8")).toContain("third");
    expect(statSync(file).size).toBeLessThan(1_000);
    expect(statSync(`${file}.1`).size).toBe(11 * 1024 * 1024);
  });
});

describe("what stays readable", () => {
  const kept = {
    requestId: "01931234-5678-7123-8456-012345678901",
    idempotencyKey: "order-2026-11-15",
    keyId: "01931234-5678-7123-8abc-0123456789ab",
    keyPrefix: "sk_test_",
    phone: "08031234567",
    internationalPhone: "+2348031234567",
    accountNumber: "0123456789",
    sessionId: "000013261115031245000123456789",
    smartCardNumber: "7023480304",
    amountKobo: 12_345_678_900,
    startedAt: 1_794_700_000_123,
    missing: null,
    url: "/loans/bnpl/customers?page=2&limit=100",
    mode: "running",
  };

  test("ids, references, telephone and account numbers are left alone", () => {
    const { log, written } = watched();
    log.info(kept, "company opinion: pinned span");
    expect(JSON.parse(written())).toMatchObject({ ...kept, msg: "company opinion: pinned span", level: "info" });
  });

  test("an absent secret is told apart from a hidden one", () => {
    const { log, written } = watched();
    log.info({ otp: null, bvn });
    expect(JSON.parse(written())).toMatchObject({ otp: null, bvn: "[redacted]" });
  });

  test("a line says when and how grave", () => {
    const { log, written } = watched();
    log.warn("slow");
    expect(JSON.parse(written())).toMatchObject({
      level: "warn",
      msg: "slow",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test("a stack survives its redaction", () => {
    const { log, written } = watched();
    log.error(new Error(`bad key ${secretKey}`));
    expect(JSON.parse(written()).err.stack).toContain("logger.test.ts");
  });

  test("an error of the database driver does not bring its connection along", () => {
    const { log, written } = watched();
    const failure = Object.assign(new Error("terminated"), { code: "57P01", client: { port: 5432 } });
    log.error({ err: failure }, "lost");
    expect(JSON.parse(written()).err).toMatchObject({ type: "Error", message: "terminated", code: "57P01" });
    expect(written()).not.toContain("5432");
  });
});

test("a line names the request, or the record, that the code is about, however deep it is written", async () => {
  const { log, written } = watched();
  const later = async (word: string) => {
    await Promise.resolve();
    log.warn({ word }, "noted");
  };
  await Promise.all([
    aboutRequest({ requestId: "req_1", environmentId: "env-1" }, () => later("one")),
    aboutRecord({ environmentId: "env-2", recordId: "rec-2" }, () => later("two")),
    // What follows from a request is not the request.
    aboutRequest({ requestId: "req_3", environmentId: "env-3" }, () =>
      aboutRecord({ environmentId: "env-4", recordId: "rec-4" }, () => later("three")),
    ),
    later("four"),
  ]);
  log.warn({ word: "five", recordId: "its own" }, "noted");
  const lines = written()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const about = Object.fromEntries(
    lines.map(({ word, requestId, environmentId, recordId }) => [word, [requestId, environmentId, recordId]]),
  );
  expect(about).toEqual({
    one: ["req_1", "env-1", undefined],
    two: [undefined, "env-2", "rec-2"],
    three: [undefined, "env-4", "rec-4"],
    four: [undefined, undefined, undefined],
    five: [undefined, undefined, "its own"],
  });
});
