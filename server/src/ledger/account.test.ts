import { expect, test } from "vitest";
import { derivedAccountId, heldAccountId, sharedAccounts, systemAccountId } from "./account.ts";

const environmentId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

test("a derived id is a version 7 UUID that carries its owner's time", () => {
  const id = derivedAccountId(environmentId, "main wallet");
  expect(id).toMatch(/^01930b6e-7c5a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(derivedAccountId(environmentId, "main wallet")).toBe(id);
});

test("different owners and names never share an account", () => {
  const purposes = Object.keys(sharedAccounts);
  const ids = purposes.map((purpose) => systemAccountId(environmentId, purpose));
  const others = purposes.map((purpose) => systemAccountId("01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12", purpose));
  expect(new Set([...ids, ...others, ...ids.map(heldAccountId)]).size).toBe(3 * purposes.length);
});
