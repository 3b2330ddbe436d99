/**
 * The controls that every hosted page has: buttons, fields, sums of mistakes, countdowns.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { button, describedBy, draw, field, hasButton, press, settle, shown, type } from "../testing/draw.tsx";
import { Button } from "./button.tsx";
import { ApiProblem } from "./call-api.ts";
import { CodeEntry } from "./code-entry.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { ReturnLink } from "./return-link.tsx";
import { StepHeading } from "./step-heading.tsx";
import { TextField } from "./text-field.tsx";
import { useStepFocus } from "./use-step-focus.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const nothing = () => undefined;

describe("a button", () => {
  test.each([
    ["busy", { busy: true }],
    ["off", { disabled: true }],
  ])("that is %s can have the focus, says so, and does nothing", async (_, state) => {
    const pressed = vi.fn();
    await draw(
      <Button {...state} busyText="One moment" onPress={pressed}>
        Pay
      </Button>,
    );
    const name = "busy" in state ? "One moment" : "Pay";
    button(name).focus();
    expect(document.activeElement).toBe(button(name));
    expect(button(name).getAttribute("aria-disabled")).toBe("true");
    await press(name);
    expect(pressed).not.toHaveBeenCalled();
  });

  test("that is busy does not send its form again", async () => {
    const sent = vi.fn((event: Event) => event.preventDefault());
    await draw(
      <form ref={(form) => form?.addEventListener("submit", sent)}>
        <Button type="submit" busy>
          Pay
        </Button>
      </form>,
    );
    await press("Pay");
    expect(sent).not.toHaveBeenCalled();
  });
});

test("a field is described by its hint and its complaint", async () => {
  await draw(<TextField id="bvn" label="BVN" value="" hint="11 digits" complaint="Too short." onInput={nothing} />);
  expect(describedBy(field("BVN"))).toBe("11 digits Too short.");
  expect(field("BVN").getAttribute("aria-invalid")).toBe("true");
});

test("the sum of mistakes takes the focus, and its lines lead to the fields, not to another address", async () => {
  const complaints = [
    { field: "bvn", text: "The BVN has 11 digits." },
    { field: "gone", text: "No field of this page." },
  ];
  const summary = (attempt: number) => [
    <ErrorSummary key="sum" attempt={attempt} complaints={complaints} />,
    <TextField key="bvn" id="bvn" label="BVN" value="" onInput={nothing} />,
  ];
  const { redraw } = await draw(summary(1));
  const box = document.querySelector("[role=alert]");
  expect(document.activeElement).toBe(box);
  expect(shown()).toContain("Some things are not right yet");
  const address = window.location.href;
  await press("The BVN has 11 digits.");
  expect(document.activeElement).toBe(field("BVN"));
  await press("No field of this page.");
  expect(window.location.href).toBe(address);
  await redraw(summary(2));
  expect(document.activeElement).toBe(box);
});

test("the heading takes the focus when the step changes, and not at the start", async () => {
  vi.spyOn(window, "scrollTo").mockReturnValue();
  function Steps({ step }: { readonly step: string }) {
    useStepFocus(step);
    return <StepHeading title={step}>Go on.</StepHeading>;
  }
  const { redraw } = await draw(<Steps step="offer" />);
  expect(document.activeElement).toBe(document.body);
  await redraw(<Steps step="consent" />);
  expect(document.activeElement?.textContent).toContain("consent");
});

test("the way back is taken by itself after its seconds, unless the page is gone before", async () => {
  vi.useFakeTimers();
  const left = vi.spyOn(window.location, "assign").mockReturnValue();
  const link = (
    <ReturnLink url="https://shop.example/done" afterSeconds={4}>
      Return
    </ReturnLink>
  );
  const { redraw } = await draw(link);
  await settle(() => vi.advanceTimersByTime(3_999));
  expect(left).not.toHaveBeenCalled();
  await settle(() => vi.advanceTimersByTime(1));
  expect(left).toHaveBeenCalledExactlyOnceWith("https://shop.example/done");
  await redraw(<ReturnLink url="https://shop.example/other">Return</ReturnLink>);
  await settle(() => vi.advanceTimersByTime(60_000));
  expect(left).toHaveBeenCalledOnce();
});

describe("a code", () => {
  const now = "2031-01-01T00:00:00.000Z";
  const code = {
    sentAt: now,
    expiresAt: "2031-01-01T00:10:00.000Z",
    resendAt: "2031-01-01T00:01:00.000Z",
    attemptsRemaining: 5,
  };
  const refused = (name: string) =>
    new ApiProblem({ status: 422, code: name, message: "", errors: [], data: {}, waitSeconds: null });
  const entry = (change: Partial<Parameters<typeof CodeEntry>[0]> = {}) => (
    <CodeEntry
      code={code}
      now={now}
      sandbox={false}
      problem={null}
      busy={null}
      submitText="Agree"
      onSubmit={nothing}
      onSend={nothing}
      {...change}
    />
  );

  test("takes digits only, however they are pasted, and is emptied when it is sent", async () => {
    const sent = vi.fn();
    await draw(entry({ onSubmit: sent }));
    await type("6-digit code", "Code: 12-34 56 78");
    expect(field("6-digit code").value).toBe("123456");
    await press("Agree");
    expect(sent).toHaveBeenCalledExactlyOnceWith("123456");
    expect(field("6-digit code").value).toBe("");
  });

  test.each(["", "12345"])("that is too short (%j) is not sent, and the field says why", async (typed) => {
    const sent = vi.fn();
    await draw(entry({ onSubmit: sent }));
    await type("6-digit code", typed);
    await press("Agree");
    expect(sent).not.toHaveBeenCalled();
    expect(describedBy(field("6-digit code"))).toBe("The code has 6 digits.");
    expect(document.activeElement).toBe(field("6-digit code"));
  });

  test("that was wrong marks the field and leads back to it", async () => {
    const { redraw } = await draw(entry());
    await redraw(entry({ problem: refused("otp_invalid") }));
    expect(field("6-digit code").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field("6-digit code"));
  });

  test("counts down by the server's clock, whatever year it has here, and dies at its end", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    await draw(entry());
    expect(shown()).toContain("It expires in 10:00.");
    expect(shown()).toContain("You can ask for a new code in 1:00.");
    await settle(() => vi.advanceTimersByTime(60_000));
    expect(hasButton("Send a new code")).toBe(true);
    expect(shown()).toContain("It expires in 9:00.");
    await settle(() => vi.advanceTimersByTime(540_000));
    expect(shown()).toContain("The code has expired. Ask for a new one.");
    expect(hasButton("Agree")).toBe(false);
  });

  test.each([
    [null, "Too many wrong codes were typed"],
    ["otp_attempts_exceeded", ""],
  ])("without tries left is dead; the refusal %j has said so already or it is said here", async (problem, words) => {
    await draw(entry({ code: { ...code, attemptsRemaining: 0 }, problem: problem === null ? null : refused(problem) }));
    expect(hasButton("Agree")).toBe(false);
    expect(shown().includes("Too many wrong codes were typed")).toBe(words !== "");
  });

  test("is told in test mode only", async () => {
    const { redraw } = await draw(entry());
    expect(shown()).not.toContain("123456");
    await redraw(entry({ sandbox: true }));
    expect(shown()).toContain("The code is 123456.");
  });
});
