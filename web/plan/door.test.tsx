/** The door of a plan's page: codes that come, do not come, are wrong, and are too many. */
import { expect, test, vi } from "vitest";
import { button, field, hasButton, press, settle, shown, type } from "../testing/draw.tsx";
import { now, openHosted, type Replies, sentCode, setting, visitAsCustomer } from "../testing/hosted-page.tsx";
import { brokenLine, held, refuse } from "../testing/replies.ts";
import { Door } from "./door.tsx";
import type { DoorView } from "./plan-view.ts";
import type { Farewell } from "./use-visit.ts";

visitAsCustomer();

const view: DoorView = { ...setting, merchantName: "Balogun <b>Home</b>", code: null };
const withCode: DoorView = { ...view, code: sentCode };

async function knock(first: DoorView, replies: Replies = {}, farewell: Farewell | null = null) {
  const entered = vi.fn();
  const door = <Door token="page" farewell={farewell} onEnter={entered} />;
  const opened = await openHosted(door, "/hosted/plan", first, replies);
  return { ...opened, entered };
}
const problem = () => document.querySelector("[role=alert]")?.textContent ?? "";

test("the merchant's name is text, and nothing else is known before the code", async () => {
  await knock(view);
  expect(shown()).toContain("See what is left to pay at Balogun <b>Home</b>");
  expect(document.querySelector("b")).toBeNull();
});

test("a code is asked for once, however often it is pressed", async () => {
  const { reply, give } = held();
  const { sent } = await knock(view, { "POST /hosted/plan/code": () => reply });
  await press("Send me the code");
  await press("Sending the code");
  await settle(() => give(withCode));
  expect(sent()).toHaveLength(1);
  expect(shown()).toContain("Type the code we sent you");
});

test("the code's page takes the focus, and names the tab", async () => {
  await knock(view, { "POST /hosted/plan/code": () => withCode });
  await press("Send me the code");
  expect(document.activeElement?.textContent).toBe("Type the code we sent you");
  expect(document.title).toBe("Type the code we sent you");
});

test("the right code lets in with the visit's own token", async () => {
  const { entered, sent } = await knock(withCode, { "POST /hosted/plan/enter": () => ({ visitToken: "visit-1" }) });
  await type("6-digit code", "12 34 56");
  await press("See my plan");
  expect(entered).toHaveBeenCalledExactlyOnceWith("visit-1");
  expect(sent().map(({ body }) => body)).toEqual([{ otp: "123456" }]);
});

test.each([
  ["otp_invalid", { attemptsRemaining: 4 }, null, "You have 4 tries left."],
  ["otp_invalid", { attemptsRemaining: 0 }, null, "Too many wrong codes"],
  ["otp_expired", {}, null, "This code has expired"],
  ["otp_attempts_exceeded", {}, null, "Too many wrong codes"],
  ["rate_limited", {}, 3, "That was a little too fast"],
])("a code that is refused as %s %o is told: %s", async (code, data, waitSeconds, words) => {
  const { entered } = await knock(withCode, {
    "POST /hosted/plan/enter": () => refuse(422, code, { data, ...(waitSeconds === null ? {} : { waitSeconds }) }),
  });
  await type("6-digit code", "000000");
  await press("See my plan");
  expect(`${problem()}`).toContain(words);
  expect(entered).not.toHaveBeenCalled();
});

test("a wrong code is taken out of its field, so that the next can be typed at once", async () => {
  await knock(withCode, {
    "POST /hosted/plan/enter": () => refuse(422, "otp_invalid", { data: { attemptsRemaining: 4 } }),
  });
  await type("6-digit code", "000000");
  await press("See my plan");
  expect(field("6-digit code").value).toBe("");
  expect(document.activeElement).toBe(field("6-digit code"));
});

test("another code can be asked for only after its time", async () => {
  const later = { ...withCode, code: { ...sentCode, resendAt: "2026-11-05T09:30:45.000Z" } };
  await knock(later);
  expect(hasButton("Send a new code")).toBe(false);
  expect(shown()).toContain("You can ask for a new code in 0:45.");
});

test("too many codes say when it goes on, and the one that was sent can still be typed", async () => {
  await knock(withCode, {
    "POST /hosted/plan/code": () => refuse(429, "otp_limit_reached", { waitSeconds: 3_600 }),
  });
  await press("Send a new code");
  expect(problem()).toContain("we stopped sending codes. Try again in an hour.");
  expect(hasButton("See my plan")).toBe(true);
});

test.each([
  [{ ...sentCode, attemptsRemaining: 0 }, "Too many wrong codes were typed"],
  [{ ...sentCode, expiresAt: now }, "The code has expired. Ask for a new one."],
])("a code that is of no use any more (%#) leaves a new one as the only way", async (code, words) => {
  await knock({ ...view, code });
  expect(shown()).toContain(words);
  expect([hasButton("See my plan"), hasButton("Send a new code")]).toEqual([false, true]);
});

test.each([
  ["SANDBOX", true],
  ["LIVE", false],
] as const)("in %s the code is told on the page: %s", async (environment, told) => {
  await knock({ ...withCode, environment });
  expect(shown().includes("The code is 123456")).toBe(told);
});

test.each<[Farewell, string]>([
  ["left", "You have left your plan."],
  ["ended", "Your visit has ended, to keep your plan safe."],
])("who has %s is told so, until there is something else to tell", async (farewell, words) => {
  await knock(view, { "POST /hosted/plan/code": brokenLine }, farewell);
  expect(document.querySelector("[role=status]")?.textContent).toContain(words);
  await press("Send me the code");
  expect(shown()).not.toContain(words);
  expect(problem()).toContain("We could not reach the server");
  expect(button("Send me the code")).toBeDefined();
});

test("an old link says who can send a new one, and offers no retry", async () => {
  const ended = vi.fn();
  await openHosted(<Door token="old" farewell={null} onEnter={ended} />, "/hosted/other", view, {
    "GET /hosted/plan": () => refuse(404, "page_ended"),
  });
  expect(shown()).toContain("This link has expired");
  expect(hasButton("Try again")).toBe(false);
});

test("a server that is away can be asked again", async () => {
  let broken = true;
  await openHosted(<Door token="t" farewell={null} onEnter={vi.fn()} />, "/hosted/other", view, {
    "GET /hosted/plan": () => (broken ? brokenLine() : view),
  });
  broken = false;
  await press("Try again");
  expect(shown()).toContain("Your payment plan");
});
