/** Lists beside a page's own: every row of them can be reached, and a list that was not read does not look empty. */
import { expect, test } from "vitest";
import { hasButton, press, shown } from "../../testing/draw.tsx";
import { type Asked, held, refuse, replyWith } from "../../testing/replies.ts";
import { KeyList } from "../developers/key-list.tsx";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { SubAccounts } from "../wallets/sub-accounts.tsx";

function pages(rows: readonly object[]) {
  return ({ path }: Asked) => {
    const page = Number(new URLSearchParams(path.split("?")[1]).get("page"));
    const pagination = { currentPage: page, totalItems: rows.length, hasNextPage: page * 50 < rows.length };
    return Response.json({ data: rows.slice((page - 1) * 50, page * 50), pagination });
  };
}
const key = (id: number) => ({
  id: `k-${id}`,
  name: `Key number ${id}.`,
  prefix: "sk_live_ab",
  scopes: ["*"],
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  replacedBy: null,
});

test("the fifty-first key can be seen, and so revoked", async () => {
  const keys = Array.from({ length: 51 }, (_, at) => key(at + 1));
  replyWith({ [`GET ${door}/keys`]: pages(keys) });
  await drawInConsole(<KeyList path="/keys" />);
  expect(shown()).not.toContain("Key number 51.");
  await press("Show more");
  await expect.poll(shown).toContain("Key number 51.");
  expect(hasButton("Show more")).toBe(false);
});

test("fifty keys are all of them: nothing more is offered", async () => {
  replyWith({ [`GET ${door}/keys`]: pages(Array.from({ length: 50 }, (_, at) => key(at))) });
  await drawInConsole(<KeyList path="/keys" />);
  expect(hasButton("Show more")).toBe(false);
});

test("a revoked or rotated key has no buttons", async () => {
  replyWith({
    [`GET ${door}/keys`]: pages([
      { ...key(1), revokedAt: "2026-11-16T18:45:31Z" },
      { ...key(2), replacedBy: "k" },
    ]),
  });
  await drawInConsole(<KeyList path="/keys" />);
  expect([hasButton("Rotate"), hasButton("Revoke")]).toEqual([false, false]);
});

test("sub-accounts that are on their way, or could not be read, are not none", async () => {
  const { reply } = held();
  replyWith({ [`GET ${door}/wallets/sub-accounts`]: () => reply });
  await drawInConsole(<SubAccounts />);
  expect(shown()).toContain("Loading");
  expect(shown()).not.toContain("None.");
  replyWith({ [`GET ${door}/wallets/sub-accounts`]: () => refuse(503, "unavailable", { message: "Briefly away." }) });
  await drawInConsole(<SubAccounts />);
  await expect.poll(shown).toContain("Briefly away.");
  expect(shown()).not.toContain("None.");
});

test("without any, how to make one is said", async () => {
  replyWith({ [`GET ${door}/wallets/sub-accounts`]: pages([]) });
  await drawInConsole(<SubAccounts />);
  expect(shown()).toContain("npx jara wallets create");
});
