import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { draw, press, settle, shown } from "../testing/draw.tsx";
import { brokenLine, held, refuse, replyWith } from "../testing/replies.ts";
import { type PageView, usePageView, type ViewSource } from "./use-page-view.ts";

afterEach(() => void vi.useRealTimers());

interface View {
  readonly word: string;
}

const source: ViewSource<View> = {
  path: "/hosted/page",
  isWaiting: ({ word }) => word === "waiting",
  untold: ["consent_given"],
};
let page: PageView<View, "pay" | "cancel">;

function Page({ from = source }: { readonly from?: ViewSource<View> }) {
  page = usePageView<View, "pay" | "cancel">("t", from);
  const { view, failure, problem, busy, act } = page;
  return (
    <>
      <p>{`view ${view?.word ?? "none"}, failure ${failure?.code ?? "none"}, problem ${problem?.code ?? "none"}, `}</p>
      <p>{`busy ${busy ?? "no"}`}</p>
      <button type="button" onClick={() => void act("pay", { amount: 5 })}>
        Pay
      </button>
      <button type="button" onClick={() => void act("cancel")}>
        Cancel
      </button>
    </>
  );
}
const calm = "failure none, problem none, busy noPayCancel";
const lookAgain = () => settle(() => document.dispatchEvent(new Event("visibilitychange")));

test("reads at the start, with the page's token", async () => {
  const asked = replyWith({ "GET /hosted/page": () => ({ word: "first" }) });
  await draw(<Page />);
  expect(shown()).toBe(`view first, ${calm}`);
  expect(asked).toMatchObject([{ path: "/hosted/page", headers: { authorization: "Bearer t" } }]);
});

test("an action sends its body, and what it returns is shown", async () => {
  const asked = replyWith({
    "GET /hosted/page": () => ({ word: "first" }),
    "POST /hosted/page/pay": () => ({ word: "paid" }),
  });
  await draw(<Page />);
  await press("Pay");
  expect(shown()).toBe(`view paid, ${calm}`);
  expect(asked.at(-1)).toMatchObject({ path: "/hosted/page/pay", body: { amount: 5 } });
});

test("a second press, or another action, while one is under way is not sent", async () => {
  const { reply, give } = held();
  const asked = replyWith({ "GET /hosted/page": () => ({ word: "first" }), "POST /hosted/page/pay": () => reply });
  await draw(<Page />);
  await press("Pay");
  expect(shown()).toContain("busy pay");
  await press("Pay");
  await press("Cancel");
  expect(await page.act("cancel")).toEqual({ taken: false, problem: null });
  await settle(() => give({ word: "paid" }));
  expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(shown()).toBe(`view paid, ${calm}`);
});

test("after a refusal the view is read again, and the next success forgets the refusal", async () => {
  let refused = true;
  let word = "first";
  replyWith({
    "GET /hosted/page": () => ({ word }),
    "POST /hosted/page/pay": () => (refused ? refuse(409, "charge_in_progress") : { word: "paid" }),
  });
  await draw(<Page />);
  word = "elsewhere";
  await press("Pay");
  expect(shown()).toContain("view elsewhere, failure none, problem charge_in_progress, busy no");
  refused = false;
  await press("Pay");
  expect(shown()).toBe(`view paid, ${calm}`);
});

test("a refusal that the next view tells better is not told", async () => {
  replyWith({
    "GET /hosted/page": () => ({ word: "done elsewhere" }),
    "POST /hosted/page/pay": () => refuse(409, "consent_given"),
  });
  await draw(<Page />);
  await press("Pay");
  expect(shown()).toBe(`view done elsewhere, ${calm}`);
});

test("a read that an action has overtaken does not take the page back", async () => {
  const slow = held();
  let reads = 0;
  replyWith({
    "GET /hosted/page": () => (reads++ === 0 ? { word: "first" } : slow.reply),
    "POST /hosted/page/pay": () => ({ word: "paid" }),
  });
  await draw(<Page />);
  await lookAgain();
  await press("Pay");
  await settle(() => slow.give({ word: "old" }));
  expect(shown()).toContain("view paid");
});

test("a broken line keeps what is on the screen and says so, until the server is reached again", async () => {
  let broken = false;
  replyWith({ "GET /hosted/page": () => (broken ? brokenLine() : { word: "first" }) });
  await draw(<Page />);
  broken = true;
  await lookAgain();
  expect(shown()).toContain("view first, failure unreachable");
  broken = false;
  await lookAgain();
  expect(shown()).toBe(`view first, ${calm}`);
});

test.each([401, 404])("a page that was closed meanwhile (%d) is taken off the screen", async (status) => {
  let closed = false;
  replyWith({ "GET /hosted/page": () => (closed ? refuse(status, "page_ended") : { word: "secret" }) });
  await draw(<Page />);
  closed = true;
  await lookAgain();
  expect(shown()).toContain("view none, failure page_ended");
});

test("a hidden tab does not read, one that comes back from the browser's memory does", async () => {
  let word = "first";
  const asked = replyWith({ "GET /hosted/page": () => ({ word }) });
  await draw(<Page />);
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => hidden.mockRestore());
  await lookAgain();
  expect(asked).toHaveLength(1);
  word = "second";
  const restored = Object.assign(new Event("pageshow"), { persisted: true });
  await settle(() => window.dispatchEvent(restored));
  expect(shown()).toContain("view second");
});

test("while something is under way it is read again and again, and not afterwards", async () => {
  vi.useFakeTimers();
  let word = "waiting";
  const asked = replyWith({ "GET /hosted/page": () => ({ word }) });
  await draw(<Page />);
  await settle(() => vi.advanceTimersByTime(1_500));
  word = "done";
  await settle(() => vi.advanceTimersByTime(1_500));
  expect(shown()).toContain("view done");
  const reads = asked.length;
  await settle(() => vi.advanceTimersByTime(15_000));
  expect(asked).toHaveLength(reads);
});

test("an action may lead away: then the page stays as it is", async () => {
  const left: string[] = [];
  const leaving: ViewSource<View> = {
    ...source,
    take: (answer, action) => {
      left.push(`${action} ${(answer as { url: string }).url}`);
      return null;
    },
  };
  replyWith({ "GET /hosted/page": () => ({ word: "first" }), "POST /hosted/page/cancel": () => ({ url: "/shop" }) });
  await draw(<Page from={leaving} />);
  await press("Cancel");
  expect(left).toEqual(["cancel /shop"]);
  expect(shown()).toBe(`view first, ${calm}`);
});
