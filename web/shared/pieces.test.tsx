/** The small parts that hosted pages are made of: what is read out, what is shown when, and what counts down. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { draw, hasButton, press, settle, shown } from "../testing/draw.tsx";
import { copyText } from "./clipboard.ts";
import { Figure } from "./figure.tsx";
import { Loading } from "./loading.tsx";
import { LoanTerms } from "./loan-terms.tsx";
import { MerchantMark } from "./merchant-mark.tsx";
import { Notice } from "./notice.tsx";
import { Outcome } from "./outcome.tsx";
import { PageFrame } from "./page-frame.tsx";
import { ResendCode } from "./resend-code.tsx";
import { useCountdown } from "./use-countdown.ts";
import { useWideScreen } from "./use-wide-screen.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const now = "2026-11-05T09:30:00.000Z";
const at = (seconds: number) => new Date(Date.parse(now) + seconds * 1_000).toISOString();

describe("a notice", () => {
  test.each([
    ["problem", true],
    ["warning", false],
    ["info", false],
    ["sandbox", false],
  ] as const)("of the tone %s is read out at once: %s", async (tone, isAlert) => {
    await draw(
      <Notice tone={tone} title="Listen">
        <p>Something happened.</p>
      </Notice>,
    );
    expect(document.querySelector("[role=alert]") !== null).toBe(isAlert);
    expect(shown()).toBe("ListenSomething happened.");
  });

  test("without a title has no empty line for one", async () => {
    await draw(<Notice tone="info">Words.</Notice>);
    expect(document.querySelector(".notice-title")).toBeNull();
  });
});

describe("the frame", () => {
  test.each([
    ["SANDBOX", true],
    ["LIVE", false],
    [null, false],
  ] as const)("says in %s that money is not real: %s", async (environment, isSaid) => {
    await draw(<PageFrame environment={environment}>Content</PageFrame>);
    expect(shown().includes("Test mode: no real money")).toBe(isSaid);
    expect(shown()).toContain("Secured by Jara");
  });

  test("has the page's own words below", async () => {
    await draw(
      <PageFrame environment="LIVE" footer={<a href="/away">Go back</a>}>
        Content
      </PageFrame>,
    );
    expect(document.querySelector("footer a")?.textContent).toBe("Go back");
  });
});

test("a merchant's picture is silent, because the name beside it says it all", async () => {
  const { redraw } = await draw(<MerchantMark name="<b>Mama Put</b>" logo="/logos/1.png" />);
  expect(document.querySelector("img")?.getAttribute("alt")).toBe("");
  expect(shown()).toBe("<b>Mama Put</b>");
  await redraw(<MerchantMark name="Mama Put" logo={null} />);
  expect(document.querySelector("img")).toBeNull();
});

test("what is coming is told to who cannot see its shape", async () => {
  await draw(<Loading text="Loading your plan" />);
  expect(document.querySelector("main")?.getAttribute("aria-busy")).toBe("true");
  expect(document.querySelector("[role=status] h1")?.textContent).toBe("Loading your plan");
});

test("an end names the tab, and offers what comes next", async () => {
  await draw(
    <Outcome tone="good" icon="check" title="All paid" text="Thank you.">
      <a href="/shop">Return</a>
    </Outcome>,
  );
  expect(document.title).toBe("All paid");
  expect(shown()).toBe("All paidThank you.Return");
});

test("a figure stands beside its name", async () => {
  await draw(
    <dl>
      <Figure name="Fees">₦0.00</Figure>
    </dl>,
  );
  expect(document.querySelector("dt")?.nextElementSibling?.textContent).toBe("₦0.00");
});

describe("the terms of a loan", () => {
  const disclosure = {
    lender: { name: "Akowe", registration: "FCCPC/1", isSample: false },
    lateFee: "A late fee of ₦500 falls due after 3 days.",
    conditions: ["You are 18 or older.", "You live in Nigeria."],
    complaints: "help@akowe.example",
  };

  test("are the server's own sentences, all of them", async () => {
    await draw(<LoanTerms disclosure={disclosure} />);
    for (const words of [disclosure.lateFee, ...disclosure.conditions, disclosure.complaints]) {
      expect(shown()).toContain(words);
    }
    expect(shown()).not.toContain("sample");
  });

  test("say in a sandbox that nobody lends anything", async () => {
    await draw(<LoanTerms disclosure={{ ...disclosure, lender: { ...disclosure.lender, isSample: true } }} />);
    expect(shown()).toContain("This is a sandbox: the lender is a sample, and no money is lent.");
  });
});

describe("copying", () => {
  test("says whether it worked", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    expect(await copyText("a secret")).toBe(true);
    expect(writeText).toHaveBeenCalledExactlyOnceWith("a secret");
  });

  test("a browser that refuses it is believed", async () => {
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("No.", "NotAllowedError"));
    expect(await copyText("a secret")).toBe(false);
  });

  test("where there is no clipboard at all nothing breaks", async () => {
    vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
    expect(await copyText("a secret")).toBe(false);
  });
});

describe("a countdown", () => {
  function Left({ until, from = now }: { readonly until: string | null; readonly from?: string }) {
    return <p>{Math.round(useCountdown(until, from))}</p>;
  }
  const pass = (ms: number) => settle(() => vi.advanceTimersByTime(ms));

  test("goes by the server's clock, and not by the year that this machine has", async () => {
    vi.useFakeTimers({
      now: new Date("1999-01-01T00:00:00Z"),
      toFake: ["setInterval", "clearInterval", "performance"],
    });
    await draw(<Left until={at(90)} />);
    expect(shown()).toBe("90");
    await pass(30_000);
    expect(shown()).toBe("60");
  });

  test("ends at zero, and stays there", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    await draw(<Left until={at(2)} />);
    await pass(5_000);
    expect(shown()).toBe("0");
  });

  test.each([
    ["what has passed", at(-60)],
    ["nothing", null],
  ])("to %s is over from the start, and starts no timer", async (_case, until) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    await draw(<Left until={until} />);
    expect([shown(), vi.getTimerCount()]).toEqual(["0", 0]);
  });

  test("begins again with what the server says next", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const { redraw } = await draw(<Left until={at(10)} />);
    await pass(8_000);
    expect(shown()).toBe("2");
    await redraw(<Left until={at(100)} from={at(8)} />);
    expect(shown()).toBe("92");
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe("another code", () => {
  const code = { sentAt: now, expiresAt: at(600), resendAt: at(30), attemptsRemaining: 5 };

  test("can be asked for once its time has come", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    let sent = 0;
    const onSend = () => {
      sent += 1;
    };
    await draw(<ResendCode code={code} now={now} busy={false} urgent={false} onSend={onSend} />);
    expect(hasButton("Send a new code")).toBe(false);
    expect(shown()).toContain("You can ask for a new code in");
    await settle(() => vi.advanceTimersByTime(31_000));
    await press("Send a new code");
    expect(sent).toBe(1);
  });

  test("is not asked about as if one were on its way when it is the only way on", async () => {
    await draw(<ResendCode code={{ ...code, resendAt: now }} now={now} busy={false} urgent onSend={() => undefined} />);
    expect(shown()).not.toContain("No message yet?");
    expect(hasButton("Send a new code")).toBe(true);
  });
});

test("a page that is pulled wider is drawn anew, and listens no longer once it is gone", async () => {
  const listeners = new Set<() => void>();
  const media = {
    matches: false,
    addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
  };
  vi.spyOn(window, "matchMedia").mockReturnValue(media as never);
  function Columns() {
    return <p>{useWideScreen() ? "two columns" : "one column"}</p>;
  }
  const { redraw } = await draw(<Columns />);
  expect(shown()).toBe("one column");
  media.matches = true;
  await settle(() => {
    for (const listener of listeners) listener();
  });
  expect(shown()).toBe("two columns");
  await redraw(<p>gone</p>);
  expect(listeners.size).toBe(0);
});
