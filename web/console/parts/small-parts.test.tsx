/** The parts that every page is made of. */
import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem } from "../../shared/call-api.ts";
import { shownText } from "../../shared/shown-text.ts";
import { button, draw, field, press, pressKey, shown } from "../../testing/draw.tsx";
import { JsonBlock } from "./code-block.tsx";
import { Facts } from "./facts.tsx";
import { AreaField, ChoiceField, TextField } from "./fields.tsx";
import { counted } from "./figures.ts";
import { Mistake } from "./mistake.tsx";
import { Modal } from "./modal.tsx";
import { Moment } from "./moment.tsx";
import { Money } from "./money.tsx";
import { PageHead } from "./page-head.tsx";
import { Failure, Skeleton } from "./states.tsx";

afterEach(() => vi.restoreAllMocks());

test.each([
  [0, "0 things"],
  [1, "1 thing"],
  [2, "2 things"],
  [1_207, "1,207 things"],
])("%i is counted as %s", (count, words) => {
  expect(counted(count, "thing")).toBe(words);
});

test("a word that takes no s is given as it is", () => {
  expect([counted(1, "delivery", "deliveries"), counted(3, "delivery", "deliveries")]).toEqual([
    "1 delivery",
    "3 deliveries",
  ]);
});

test.each([
  [<Money key="a" amount={2_500.5} />, "₦2,500.50"],
  [<Money key="b" amount="2500.50" />, "₦2,500.50"],
  [<Money key="c" amount={null} />, "–"],
  [<Money key="d" amount={0} />, "₦0.00"],
  [<Money key="e" amount={5} direction="debit" />, "−₦5.00"],
  [<Money key="f" amount={5} direction="credit" />, "+₦5.00"],
  [<Moment key="g" at={null} />, "–"],
  [<Moment key="h" at="2026-12-31T23:00:00.000Z" />, "1 Jan 2027 00:00:00"],
  [<Moment key="i" at="2026-12-31T23:00:00.000Z" dayOnly />, "1 Jan 2027"],
])("%# is drawn as %s", (part, text) => {
  expect(shownText(part)).toBe(text);
});

test("a fact that is not known has a dash, and nothing else has", () => {
  const text = shownText(
    <Facts
      facts={[
        ["Known", "a"],
        ["Null", null],
        ["Undefined", undefined],
        ["Zero", 0],
      ]}
    />,
  );
  expect(text).toBe("Known a Null – Undefined – Zero 0");
});

test.each([
  ["a line", <TextField key="t" label="Name" name="n" hint="As in the bank." />],
  ["several lines", <AreaField key="a" label="Name" name="n" hint="As in the bank." />],
  [
    "a choice",
    <ChoiceField key="c" label="Name" name="n" hint="As in the bank.">
      <option>one</option>
    </ChoiceField>,
  ],
])("a field for %s is tied to its label and its hint", async (_case, part) => {
  await draw(part);
  expect(field("Name").getAttribute("aria-invalid")).toBe("false");
  const note = document.getElementById(field("Name").getAttribute("aria-describedby") ?? "");
  expect(note?.textContent).toBe("As in the bank.");
});

test("a mistake takes the place of the hint, and marks the field", async () => {
  await draw(<TextField label="Name" hint="A hint." mistake="Too long." />);
  expect(field("Name").getAttribute("aria-invalid")).toBe("true");
  expect(shown()).toBe("NameToo long.");
});

test("a field without words about it is described by nothing", async () => {
  await draw(<TextField label="Name" />);
  expect(field("Name").hasAttribute("aria-describedby")).toBe(false);
});

test("nothing went wrong, nothing is drawn", () => {
  expect(shownText(<Mistake>{undefined}</Mistake>)).toBe("");
});

test("a window is named and described for those who hear it, and closes by its sign and by Escape", async () => {
  const closed = vi.fn();
  await draw(
    <Modal open onClose={closed} title="Pay" about="Money leaves.">
      <input aria-label="inside" />
    </Modal>,
  );
  const dialog = document.querySelector("[role=dialog]");
  const named = document.getElementById(dialog?.getAttribute("aria-labelledby") ?? "");
  const described = document.getElementById(dialog?.getAttribute("aria-describedby") ?? "");
  expect([named?.textContent, described?.textContent]).toEqual(["Pay", "Money leaves."]);
  await press("Close");
  await pressKey("Escape");
  expect(closed).toHaveBeenCalledTimes(2);
});

test("a page's heading names its tab as well", async () => {
  const { redraw } = await draw(<PageHead title="Transfers" />);
  expect(document.title).toBe("Transfers · Jara");
  await redraw(<PageHead title="Loans" />);
  expect(document.title).toBe("Loans · Jara");
});

test("a record is copied as it is shown: without what identifies a person", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await draw(<JsonBlock value={{ bvn: "22123456789", cards: [{ pan: "4084084084084081" }] }} label="it" />);
  await press("Copy it");
  const text = String(written.mock.calls[0]?.[0]);
  expect(JSON.parse(text)).toEqual({ bvn: "••••6789", cards: [{ pan: "••••4081" }] });
  expect(document.querySelector("pre")?.textContent).toBe(text);
});

test("names, texts and figures of a record have colours of their own, whatever the texts hold", async () => {
  const value = { name: 'a "quoted": 5', "b:c": [true, null, -2.5, "<i>"] };
  await draw(<JsonBlock value={value} label="it" />);
  expect(JSON.parse(document.querySelector("pre")?.textContent ?? "")).toEqual(value);
  const coloured = (colour: string) => [...document.querySelectorAll(`pre .${colour}`)].map((each) => each.textContent);
  expect(coloured("text-info")).toEqual(['"name"', '"b:c"']);
  expect(coloured("text-brand")).toEqual([String.raw`"a \"quoted\": 5"`, '"<i>"']);
  expect(coloured("text-warning")).toEqual(["true", "null", "-2.5"]);
  expect(document.querySelector("pre i")).toBeNull();
});

test("two complaints about one field are both told, without a complaint of React's", async () => {
  const complaints = vi.spyOn(console, "error").mockReturnValue();
  const errors = [
    { field: "amount", message: "must be a number" },
    { field: "amount", message: "must be more than 0" },
  ];
  const problem = { status: 422, code: "validation_failed", message: "Check.", errors, data: {}, waitSeconds: null };
  await draw(<Failure error={new ApiProblem(problem)} />);
  expect([...document.querySelectorAll("li")].map((line) => line.textContent)).toEqual([
    "Amount: must be a number",
    "Amount: must be more than 0",
  ]);
  expect(complaints).not.toHaveBeenCalled();
});

test("a failure without a way to try again offers none", async () => {
  const again = vi.fn();
  const { redraw } = await draw(<Failure error={new Error("x")} />);
  expect(document.querySelector("button")).toBeNull();
  await redraw(<Failure error={new Error("x")} retry={again} />);
  button("Try again").click();
  expect(again).toHaveBeenCalledOnce();
});

test("what loads says so to those who do not see it", () => {
  expect(shownText(<Skeleton lines={3} />)).toBe("Loading");
});
