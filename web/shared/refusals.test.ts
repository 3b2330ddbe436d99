/** Replies that a page gets, of ours and of strangers, and what it makes of them. */
import { expect, test } from "vitest";
import { replyWith } from "../testing/replies.ts";
import { ApiProblem, callApi, callForReply } from "./call-api.ts";
import { cardName } from "./card-name.ts";
import { inSeconds, wordProblem } from "./problem-text.ts";

async function refusedBy(reply: Response): Promise<ApiProblem> {
  replyWith({ "GET /x": () => reply });
  return callApi("/x").then(
    () => expect.fail("it was taken for a success"),
    (error: unknown) => error as ApiProblem,
  );
}

test.each([
  ["a page of a proxy", new Response("<html>", { status: 502 }), 502],
  ["a success that is no JSON", new Response("<html>", { status: 200 }), 200],
  ["a success that is a number", Response.json(42), 200],
  ["a success that is nothing", new Response("", { status: 200 }), 200],
])("%s is a server that cannot be reached", async (_case, reply, status) => {
  const { code, refusal } = await refusedBy(reply);
  expect([code, refusal.status]).toEqual(["unreachable", status]);
});

test("a refusal without its parts is still one", async () => {
  const { refusal } = await refusedBy(Response.json({ errors: "no", data: 7 }, { status: 422 }));
  expect(refusal).toMatchObject({ status: 422, code: "unreachable", errors: [], data: {}, waitSeconds: null });
});

test("the id by which a log finds it is kept", async () => {
  const reply = Response.json({ code: "c", message: "m" }, { status: 500, headers: { "x-request-id": "req_7" } });
  expect((await refusedBy(reply)).refusal.requestId).toBe("req_7");
});

test.each([
  [401, true],
  [404, true],
  [403, false],
  [410, false],
  [500, false],
])("a status of %i means that the page opens nothing: %s", async (status, nothing) => {
  expect((await refusedBy(Response.json({ code: "c", message: "m" }, { status }))).opensNothing).toBe(nothing);
});

test("what stands beside the data is there for those who ask for it", async () => {
  replyWith({ "GET /x": () => Response.json({ data: [1], pagination: { currentPage: 1 } }) });
  expect(await callForReply("/x")).toEqual({ data: [1], pagination: { currentPage: 1 } });
});

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
  [86_400, "tomorrow"],
])("%s seconds are told as %s", (seconds, words) => {
  expect(inSeconds(seconds)).toBe(words);
});

const problem = (code: string, data: Record<string, unknown> = {}, waitSeconds: number | null = null) =>
  new ApiProblem({ status: 422, code, message: "The server's own words.", errors: [], data, waitSeconds });

test.each([
  [problem("otp_invalid", { attemptsRemaining: 3 }), "You have 3 tries left."],
  [problem("otp_invalid", { attemptsRemaining: 1 }), "You have 1 try left."],
  [problem("otp_invalid", { attemptsRemaining: 0 }), "For your safety this code no longer works."],
  [problem("otp_invalid"), "Check the message and type the code again."],
  [problem("otp_resend_too_early", {}, 30), "You can ask for another one in 30 seconds."],
  [problem("otp_limit_reached", {}, 7_200), "Try again in 2 hours."],
  [problem("unreachable"), "You have not been charged."],
  [problem("a_code_of_tomorrow"), "The server's own words."],
])("%s is worded for a customer: %s", (refused, words) => {
  expect(wordProblem(refused, {}).text).toContain(words);
});

test("a page's own words count more than those for all", () => {
  const own = { unreachable: () => ({ title: "Own", text: "Ours." }) };
  expect(wordProblem(problem("unreachable"), own)).toEqual({ title: "Own", text: "Ours." });
});

test("a card is named as people say it", () => {
  expect(cardName({ brand: "verve", last4: "4081" })).toBe("Verve card ending 4081");
});
