/** Refusals as a customer reads them: whatever the server or something before it says, there is a sentence. */
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { ApiProblem, callForReply, type Refusal } from "../shared/call-api.ts";
import { inSeconds, wordProblem } from "../shared/problem-text.ts";
import { problemText } from "./problem-text.ts";

const problem = (more: Partial<Refusal> = {}) =>
  new ApiProblem({ status: 422, code: "x", message: "Said.", errors: [], data: {}, waitSeconds: null, ...more });

/** The network returns this, once for each question. */
function replyOnce(make: () => Response): void {
  vi.stubGlobal("fetch", async () => make());
  onTestFinished(() => void vi.unstubAllGlobals());
}
const thrownBy = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

test.each([
  [null, "in a little while"],
  [-5, "now"],
  [0, "now"],
  [1, "in 1 second"],
  [59, "in 59 seconds"],
  [60, "in 1:00 minutes"],
  [3_599, "in 59:59 minutes"],
  [3_600, "in an hour"],
  [3_601, "in 2 hours"],
  [82_800, "in 23 hours"],
  [82_801, "tomorrow"],
  [1_000_000, "tomorrow"],
])("a wait of %s seconds is told as %s", (seconds, text) => {
  expect(inSeconds(seconds)).toBe(text);
});

test("no wait is told as shorter than it is, below a day", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 82_800 }), (seconds) => {
      const text = inSeconds(seconds);
      const [, minutes, rest] = /in (\d+):(\d\d) minutes/.exec(text) ?? [];
      const [, hours = text === "in an hour" ? "1" : undefined] = /in (\d+) hours/.exec(text) ?? [];
      const [, plain] = /in (\d+) seconds?/.exec(text) ?? [];
      const told = minutes === undefined ? Number(plain ?? Number(hours) * 3_600) : Number(minutes) * 60 + Number(rest);
      expect(told).toBeGreaterThanOrEqual(seconds);
    }),
  );
});

test.each([
  [5, "You have 5 tries left."],
  [1, "You have 1 try left."],
  [undefined, "type the code again."],
  ["2", "type the code again."],
])("a wrong code with %j tries left ends with: %s", (attemptsRemaining, end) => {
  const { title, text } = wordProblem(problem({ code: "otp_invalid", data: { attemptsRemaining } }), {});
  expect(title).toBe("That code is not right");
  expect(text.endsWith(end)).toBe(true);
});

test("after the last try nobody is asked to type the code again", () => {
  const last = wordProblem(problem({ code: "otp_invalid", data: { attemptsRemaining: 0 } }), {});
  expect(last).toEqual(wordProblem(problem({ code: "otp_attempts_exceeded" }), {}));
  expect(last.text).toContain("Ask for a new one.");
});

test("a page's own words come before those of every page, and the server's after both", () => {
  const own = { rate_limited: () => ({ title: "Ours", text: "Own." }) };
  expect(wordProblem(problem({ code: "rate_limited" }), own).title).toBe("Ours");
  expect(wordProblem(problem({ code: "rate_limited" }), {}).title).toBe("That was a little too fast");
  expect(wordProblem(problem({ code: "something_new" }), own)).toEqual({ title: "That did not work", text: "Said." });
});

test.each([
  [{ message: "Not enough money" }, "Not enough money. Nothing was taken."],
  [{ message: "Not enough money." }, "Not enough money. Nothing was taken."],
  [{ message: 3 }, "Nothing was taken."],
  [{}, "Nothing was taken."],
  [null, "Nothing was taken."],
  ["declined", "Nothing was taken."],
])("a bank that says %j is quoted in whole sentences", (reason, begin) => {
  const { text } = problemText(problem({ code: "card_declined", data: { reason } }));
  expect(text.startsWith(begin)).toBe(true);
});

test.each(["unreachable", "internal"])("on a plan's page %s promises nothing about what was charged", (code) => {
  const { text } = problemText(problem({ code }));
  expect(text).toContain("nothing is taken twice");
  expect(text).not.toContain("have not been charged");
});

test("whatever comes with a refusal, it is thrown with a code, a sentence and lists", async () => {
  const body = fc.oneof(fc.json(), fc.string());
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(400, 401, 404, 409, 422, 429, 500, 502, 503), async (text, status) => {
      replyOnce(() => new Response(text, { status }));
      const error = await thrownBy(callForReply("/x"));
      expect(error).toBeInstanceOf(ApiProblem);
      const { refusal, opensNothing } = error as ApiProblem;
      expect(refusal.status).toBe(status);
      expect([typeof refusal.code, typeof refusal.message, typeof refusal.data]).toEqual([
        "string",
        "string",
        "object",
      ]);
      expect(Array.isArray(refusal.errors)).toBe(true);
      expect(opensNothing).toBe(status === 401 || status === 404);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["30", 30],
  ["0", 0],
  ["1.5", 1.5],
  ["Wed, 21 Oct 2026 07:28:00 GMT", null],
  ["soon", null],
  ["", null],
  ["  ", null],
  ["-5", null],
  ["1,5", null],
  ["0x10", null],
  ["1e3", null],
  ["9999999999", 9_999_999_999],
])("Retry-After %j is a wait of %s", async (header, wait) => {
  replyOnce(() => Response.json({}, { status: 429, headers: { "retry-after": header } }));
  expect(await thrownBy(callForReply("/x"))).toHaveProperty("refusal.waitSeconds", wait);
});

test("a wait that nobody can read is not told as over", async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[ -/:-~]*$/), async (header) => {
      replyOnce(() =>
        Response.json({ code: "otp_limit_reached" }, { status: 429, headers: { "retry-after": header } }),
      );
      expect(problemText((await thrownBy(callForReply("/x"))) as ApiProblem).text).toContain("in a little while");
    }),
    { numRuns: 60 },
  );
});

test("the number under which the server's log has the request is kept", async () => {
  replyOnce(() => Response.json({}, { status: 500, headers: { "x-request-id": "req_7" } }));
  expect(await thrownBy(callForReply("/x"))).toHaveProperty("refusal.requestId", "req_7");
});
