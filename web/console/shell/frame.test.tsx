/** What stands around every page: where one is, the keys, the way to other rooms, the way out. */
import { House } from "lucide-react";
import { afterEach, expect, test, vi } from "vitest";
import { button, field, hasButton, pressKey, settle, shown } from "../../testing/draw.tsx";
import { brokenLine, replyWith } from "../../testing/replies.ts";
import type { Me } from "../api/me.ts";
import { ada, drawInConsole } from "../testing/in-console.tsx";
import { Frame } from "./frame.tsx";
import { lastPlace } from "./last-place.ts";

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

const items = [
  { title: "Transfers", path: "/transfers", icon: House },
  { title: "Loans", path: "/loans", icon: House },
];
const me: Me = {
  ...ada,
  merchants: [
    {
      id: "m-1",
      name: "Mama <i>Put</i>",
      role: "owner",
      environments: [
        { id: "env-1", kind: "SANDBOX", name: "Main" },
        { id: "env-2", kind: "LIVE", name: "Live" },
      ],
    },
  ],
};
const rows = (
  <ul>
    {["one", "two", "three"].map((name) => (
      <li key={name}>
        <a data-row href={`#${name}`}>
          {name}
        </a>
      </li>
    ))}
  </ul>
);

async function open(person = me, where: Parameters<typeof drawInConsole>[1] = {}) {
  const asked = replyWith({ "POST /console/api/auth/sign-out": () => ({}) });
  const page = (
    <Frame me={person} items={items}>
      {rows}
      <label htmlFor="note">Note</label>
      <input id="note" />
    </Frame>
  );
  const place = await drawInConsole(page, where);
  return { asked, place };
}
const key = (name: string, more: KeyboardEventInit = {}, on: Element = document.body) =>
  settle(() => on.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more })));
const dialogTitle = () => document.querySelector("[role=dialog] h2")?.textContent;
const menuItem = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>("[role^=menuitem]")].find((item) =>
    item.textContent?.includes(name),
  );
  if (found === undefined) throw new Error(`no item ${name} in ${shown()}`);
  return found;
};
async function openMenu(name: string) {
  const [trigger] = [...document.querySelectorAll<HTMLElement>("button")].filter((one) =>
    one.textContent?.includes(name),
  );
  trigger?.focus();
  await pressKey("Enter", trigger);
}

test.each([
  ["SANDBOX", true],
  ["LIVE", false],
] as const)("in %s it is said that no real money moves: %s", async (kind, said) => {
  await open(me, { kind });
  expect(shown().includes("Sandbox: no real money moves")).toBe(said);
  expect(document.querySelector(".stripes") !== null).toBe(said);
});

test("the first thing that a keyboard reaches leads past the navigation", async () => {
  await open();
  const first = document.querySelector("a, button");
  expect([first?.textContent, first?.getAttribute("href")]).toEqual(["Skip to the content", "#content"]);
  expect(document.querySelector("main#content")?.getAttribute("tabindex")).toBe("-1");
});

test("j and k walk through the rows, and stay at the ends", async () => {
  await open();
  const focused = () => document.activeElement?.textContent;
  await key("j");
  expect(focused()).toBe("one");
  await key("j");
  await key("j");
  await key("j");
  expect(focused()).toBe("three");
  await key("k");
  expect(focused()).toBe("two");
});

test("from nowhere, k begins with the last row", async () => {
  await open();
  await key("k");
  expect(document.activeElement?.textContent).toBe("three");
});

test("a letter that somebody types is text", async () => {
  await open();
  await key("?", {}, field("Note"));
  await key("/", {}, field("Note"));
  expect(document.querySelector("[role=dialog]")).toBeNull();
});

test("? shows the keys, and Escape closes them", async () => {
  await open();
  await key("?");
  expect(dialogTitle()).toBe("Keys");
  expect(shown()).toContain("Everything in the console works from the keyboard.");
  await pressKey("Escape");
  expect(dialogTitle()).toBeUndefined();
});

test.each([
  ["/", {}],
  ["k", { ctrlKey: true }],
  ["k", { metaKey: true }],
])("%s %o opens the search", async (name, more) => {
  await open();
  await key(name, more);
  await expect.poll(dialogTitle).toBe("Search or jump to…");
});

test("the switch tells LIVE from SANDBOX, and remembers where a person goes", async () => {
  const { place } = await open();
  await openMenu("Switch environment");
  expect(menuItem("LIVE").textContent).toContain("Mama <i>Put</i>");
  expect(document.querySelector("i")).toBeNull();
  expect(menuItem("SANDBOX").querySelector("[aria-label='You are here']")).not.toBeNull();
  await settle(() => menuItem("LIVE").click());
  await expect.poll(place).toBe("/e/env-2");
  expect(lastPlace()).toBe("env-2");
});

test.each([
  [null, false],
  [{ role: "support" }, true],
])("whoever runs the service (%o) finds the operator's rooms: %s", async (operator, found) => {
  await open({ ...me, operator });
  await openMenu("Switch environment");
  const names = [...document.querySelectorAll("[role=menuitem]")].map((item) => item.textContent);
  expect(names.includes("Operator")).toBe(found);
});

test("in the operator's house the switch says so", async () => {
  await open({ ...me, operator: { role: "admin" } }, { house: "operator" });
  expect(shown()).toContain("OperatorEvery merchant");
});

test("light and dark are chosen, kept by the browser, and the system's way is no mark at all", async () => {
  await open();
  await openMenu("Your account and appearance");
  await settle(() => menuItem("Dark").click());
  expect(document.documentElement.dataset["theme"]).toBe("dark");
  expect(localStorage.getItem("jara-console-theme")).toBe("dark");
  await openMenu("Your account and appearance");
  expect(menuItem("Dark").getAttribute("aria-checked")).toBe("true");
  await settle(() => menuItem("As the system").click());
  expect(document.documentElement.dataset["theme"]).toBeUndefined();
});

test("the menu says who is signed in, and leads to their account", async () => {
  const { place } = await open();
  await openMenu("Your account and appearance");
  expect(shown()).toContain("Ada Obiada@example.com");
  await settle(() => menuItem("Your account").click());
  await expect.poll(place).toBe("/env-1/account");
});

test("signing out tells the server and leads to the door", async () => {
  const { asked, place } = await open();
  await openMenu("Your account and appearance");
  await settle(() => menuItem("Sign out").click());
  await expect.poll(place).toBe("/sign-in");
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /console/api/auth/sign-out"]);
});

test("signing out while the line is broken does not pretend: the door says that the session may live on", async () => {
  const { place } = await open();
  replyWith({ "POST /console/api/auth/sign-out": brokenLine });
  await openMenu("Your account and appearance");
  await settle(() => menuItem("Sign out").click());
  await expect.poll(place).toBe("/sign-in?stayed=true");
});

test("on a phone the navigation is behind a button, and closes when somebody goes", async () => {
  const { place } = await open();
  await settle(() => button("Menu").click());
  expect(dialogTitle()).toBe("Jara");
  await settle(() => button("Loans").click());
  await expect.poll(place).toBe("/env-1/loans");
  expect(hasButton("Close the menu")).toBe(false);
});
