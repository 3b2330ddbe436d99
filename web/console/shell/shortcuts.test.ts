import { expect, test } from "vitest";
import { type Shortcut, shortcutFor } from "./shortcuts.ts";

const act = () => undefined;
const palette: Shortcut = { key: "k", control: true, act };
const up: Shortcut = { key: "k", act };
const search: Shortcut = { key: "/", act };
const all = [palette, up, search];

const pressed = (key: string, more: Partial<Parameters<typeof shortcutFor>[1]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  inField: false,
  ...more,
});

test.each([
  ["k alone goes up a list", pressed("k"), up],
  ["Ctrl-K opens the palette", pressed("k", { ctrlKey: true }), palette],
  ["⌘K opens the palette", pressed("k", { metaKey: true }), palette],
  ["Shift does not matter for a letter", pressed("K"), up],
  ["Ctrl-K works while typing", pressed("k", { ctrlKey: true, inField: true }), palette],
  ["a slash that is typed is text", pressed("/", { inField: true }), undefined],
  ["Alt belongs to the browser", pressed("/", { altKey: true }), undefined],
  ["Ctrl-/ is nobody's", pressed("/", { ctrlKey: true }), undefined],
])("%s", (_case, event, expected) => {
  expect(shortcutFor(all, event)).toBe(expected);
});
