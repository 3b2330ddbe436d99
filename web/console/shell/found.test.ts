import { expect, test } from "vitest";
import { pageOf } from "./found.ts";

test.each([
  ["transfer", "/transfers/7"],
  ["transfer_batch", "/bulk/7"],
  ["bill", "/bills/7"],
  ["loan", "/loans/7"],
  ["customer", "/customers/7"],
  ["checkout_session", "/checkout/7"],
  ["event", "/events/7"],
  ["charge", "/trace/7"],
  ["something_new", "/trace/7"],
])("a %s that was found is shown at %s", (kind, path) => {
  expect(pageOf({ kind, id: "7" })).toBe(path);
});
