import { expect, test } from "vitest";
import { createOperatorAuthenticator } from "./authenticate.ts";
import { makeSecretKey } from "./secret-key.ts";

const token = `op_${"t".repeat(40)}`;
const refusal = (code: string) =>
  expect.objectContaining({ code, status: 401, headers: { "WWW-Authenticate": "Bearer" } });

test("the operator's token opens the operator's door", async () => {
  expect(await createOperatorAuthenticator(token)(`Bearer ${token}`)).toEqual({ name: "operator" });
});

test.each([
  { header: undefined, code: "missing_key" },
  { header: `Bearer ${makeSecretKey("LIVE")}`, code: "invalid_key" },
  { header: `Bearer ${token}x`, code: "invalid_key" },
  { header: `Bearer ${token.slice(0, -1)}`, code: "invalid_key" },
  { header: token, code: "invalid_key" },
])("the header $header is refused with $code", async ({ header, code }) => {
  await expect(createOperatorAuthenticator(token)(header)).rejects.toEqual(refusal(code));
});

test("without a configured token nobody is the operator", async () => {
  const closed = createOperatorAuthenticator(undefined);
  await expect(closed("Bearer undefined")).rejects.toEqual(refusal("invalid_key"));
  await expect(closed(`Bearer ${token}`)).rejects.toEqual(refusal("invalid_key"));
});

test("an empty token is refused at the start rather than opening the door to everybody", () => {
  expect(() => createOperatorAuthenticator("")).toThrow("operator token");
});
