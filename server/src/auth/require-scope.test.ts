import { expect, test } from "vitest";
import { requireScope } from "./authenticate.ts";

test.each([
  { scopes: ["*"], wanted: "loans:write", allowed: true },
  { scopes: ["loans:write"], wanted: "loans:write", allowed: true },
  { scopes: ["loans:write"], wanted: "loans:read", allowed: false },
  { scopes: ["loans:read"], wanted: "loans:write", allowed: false },
  { scopes: ["loans:read", "bills:read"], wanted: "bills:read", allowed: true },
  { scopes: ["loan"], wanted: "loans:read", allowed: false },
])("a key with $scopes and a request for $wanted: allowed is $allowed", ({ scopes, wanted, allowed }) => {
  const check = () => requireScope({ scopes }, wanted);
  if (allowed) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "scope_missing", status: 403, data: { scope: wanted } }));
});
