/**
 * Draws a part of a page in a document and uses it as a person would. What needs a real browser (layout, styles, the
 * network) is in tests/browser.
 */
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

/** Taken before a test puts clocks of its own in their place. */
const later = globalThis.setTimeout;

/** Does it, and lets what it began come to rest: replies of this test's network, and what they draw. */
export async function settle(work: () => unknown = () => undefined): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  await act(async () => {
    await work();
    for (let round = 0; round < 3; round += 1) await new Promise((done) => later(done));
  });
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
}

/** Mounts it until the test ends. */
export async function draw(part: ReactNode): Promise<{ redraw(next: ReactNode): Promise<void> }> {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  onTestFinished(async () => {
    await settle(() => root.unmount());
    document.body.replaceChildren();
  });
  const redraw = (next: ReactNode) => settle(() => root.render(next));
  await redraw(part);
  return { redraw };
}

/** The words on the page, a window above it included. */
export function shown(): string {
  return (document.body.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** A button or link by its words, or by the name that is read out. */
export function button(name: string): HTMLElement {
  return one(
    inReach().filter((each) => nameOf(each) === name),
    `button "${name}"`,
  );
}

export function hasButton(name: string): boolean {
  return inReach().some((each) => nameOf(each) === name);
}

/** While a window is open, nothing behind it can be pressed. */
function inReach(): HTMLElement[] {
  return [...front().querySelectorAll<HTMLElement>("button, a")];
}

function front(): ParentNode {
  return [...document.querySelectorAll("[role=dialog]")].at(-1) ?? document;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What a label stands for. */
export function field(label: string): Field {
  const labels = [...front().querySelectorAll("label")].filter((each) => nameOf(each) === label);
  const found = document.getElementById(one(labels, `label "${label}"`).htmlFor);
  if (found === null) throw new Error(`the label "${label}" stands for nothing`);
  return found as Field;
}

/** The text that an element is described by. */
export function describedBy(element: Element): string {
  const ids = (element.getAttribute("aria-describedby") ?? "").split(" ");
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
}

export async function press(name: string): Promise<void> {
  await settle(() => button(name).click());
}

/** As a person does who changes the whole text of a field. */
export async function type(label: string, text: string): Promise<void> {
  const input = field(label);
  const setValue = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")?.set;
  await settle(() => {
    setValue?.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

export async function pressKey(key: string, on: Element = document.activeElement ?? document.body): Promise<void> {
  await settle(() => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
}

function nameOf(element: Element): string {
  return (element.getAttribute("aria-label") ?? element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

function one<Found>(found: readonly Found[], what: string): Found {
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} times ${what} in: ${shown()}`);
  return first;
}
