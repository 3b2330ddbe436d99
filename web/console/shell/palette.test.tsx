import { House } from "lucide-react";
import { expect, test, vi } from "vitest";
import { pressKey, settle, shown } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { Palette } from "./palette.tsx";
import { operatorRooms, roomsOf } from "./rooms.ts";

const items = [
  { title: "Transfers", path: "/transfers", icon: House },
  { title: "Loans", path: "/loans", icon: House },
];
const input = () => document.querySelector<HTMLInputElement>("input") ?? document.createElement("input");

async function typed(text: string) {
  await settle(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input(), text);
    input().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

test("a page is found by a part of its name, and Enter goes there", async () => {
  replyWith({});
  const closed = vi.fn();
  const place = await drawInConsole(<Palette items={items} onClose={closed} />);
  await typed("loa");
  expect(shown()).not.toContain("Transfers");
  await pressKey("Enter", input());
  await expect.poll(place).toBe("/env-1/loans");
  expect(closed).toHaveBeenCalledOnce();
});

test("records are asked for after a pause, once, and shown as text", async () => {
  const find = {
    kind: "transfer",
    id: "t-1",
    title: "<b>rent</b>",
    subtitle: "GTBank",
    status: "failed",
    amount: 0.01,
  };
  const asked = replyWith({ [`GET ${door}/search`]: () => [find] });
  await drawInConsole(<Palette items={items} onClose={() => undefined} />);
  for (const text of ["r", "re", "ren", "rent"]) await typed(text);
  await expect.poll(shown).toContain("<b>rent</b>");
  expect(shown()).toContain("Transfer · failed · GTBank");
  expect(shown()).toContain("₦0.01");
  expect(asked.filter(({ path }) => path.endsWith("q=rent"))).toHaveLength(1);
});

test("Escape closes it", async () => {
  replyWith({});
  const closed = vi.fn();
  await drawInConsole(<Palette items={items} onClose={closed} />);
  await pressKey("Escape", input());
  expect(closed).toHaveBeenCalledOnce();
});

test("the sandbox's page exists in sandboxes only, and no room has the address of another", () => {
  expect(roomsOf("LIVE").map(({ path }) => path)).not.toContain("/sandbox");
  expect(roomsOf("SANDBOX").map(({ path }) => path)).toContain("/sandbox");
  for (const rooms of [roomsOf("SANDBOX"), operatorRooms]) {
    expect(new Set(rooms.map(({ path }) => path)).size).toBe(rooms.length);
    expect(new Set(rooms.map(({ title }) => title)).size).toBe(rooms.length);
  }
});
