/**
 * Files that run one after the other in a worker share its window. One that follows a link out of the page would leave
 * the next ones somewhere else, where no path can be pushed, and what one leaves on the page others would read: it
 * fails here, by its own name.
 */
import { afterAll, expect } from "vitest";

const { origin } = window.location;

afterAll(() => {
  expect(window.location.origin, "this file has left the page").toBe(origin);
  expect(document.body.innerHTML, "this file has left something on the page").toBe("");
});
