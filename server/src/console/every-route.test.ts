/** What every operation about people refuses before it begins. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageSessions, fromPage, signIn } from "../../testing/console.ts";
import { asOwner } from "../../testing/work.ts";
import type { Route } from "../platform/http/route.ts";
import { defaultBodyLimitBytes } from "../platform/http/server/server.ts";
import { wantsProof } from "../platform/http/wants-proof.ts";
import { appRoutes } from "../start/app.ts";

const testing = await createTestApp();
const ada = await signIn(testing, { email: "ada@example.com", role: "owner", operator: "admin" });
const bola = await signIn(testing, { email: "bola@example.com", role: "owner" });
const isPeoples = ({ guard }: Route) => guard === "person" || guard === "visitor";
const routes = appRoutes(testing.dependencies).filter(isPeoples);
const someId = "01932c5e-0000-7000-8000-000000000000";
const named = (chosen: readonly Route[]) => chosen.map((one): [string, Route] => [`${one.method} ${one.path}`, one]);
const changes = named(routes.filter(({ method }) => method !== "GET"));

async function codeOf(route: Route, headers: Readonly<Record<string, string>>, payload?: string) {
  const url = route.path.replaceAll(/\{\w+\}/g, someId);
  const sent = payload === undefined ? {} : { payload };
  const reply = await testing.app.inject({ method: route.method, url, headers: { ...headers }, ...sent });
  return reply.json<{ code?: string }>().code;
}

const signedIn = { cookie: ada.cookie, ...fromPage, "content-type": "application/json" };

beforeEach(async () => {
  await asOwner(testing.ownerUrl, "update person_sessions set proven_at = clock_timestamp()");
});

test.each(named(routes.filter(({ guard }) => guard === "person")))(
  "%s is for people who are signed in",
  async (_, one) => {
    expect(await codeOf(one, { ...fromPage, authorization: `Bearer ${testing.merchant.secretKey}` })).toBe(
      "not_signed_in",
    );
  },
);

test.each(named(routes.filter((one) => one.guard === "person" && wantsProof(one, null))))(
  "%s wants a proof of who signed in long ago",
  async (_, one) => {
    await ageSessions(testing);
    expect(await codeOf(one, { cookie: bola.cookie, ...fromPage })).toBe("proof_needed");
  },
);

test.each(changes.filter(([, { method }]) => method === "POST"))(
  "%s: an Idempotency-Key that is none",
  async (_, one) => {
    const headers = { cookie: ada.cookie, ...fromPage, "idempotency-key": "x".repeat(256) };
    expect(await codeOf(one, headers)).toBe("validation_failed");
  },
);

describe("with a broken body", () => {
  test.each(changes)("%s: from another site", async (_, one) => {
    expect(await codeOf(one, { ...signedIn, origin: "https://evil.example" }, "{}")).toBe("cross_site_request");
  });

  test.each(changes)("%s: no JSON", async (_, one) => {
    expect(await codeOf(one, signedIn, "{")).toBe("invalid_json");
  });

  test.each(changes)("%s: another media type", async (_, one) => {
    expect(await codeOf(one, { ...signedIn, "content-type": "application/xml" }, "<a/>")).toBe(
      "unsupported_media_type",
    );
  });

  test.each(changes)("%s: too large", async (_, one) => {
    expect(await codeOf(one, signedIn, `{"a":"${"x".repeat(defaultBodyLimitBytes)}"}`)).toBe("body_too_large");
  });

  test.each(changes.filter(([, { body }]) => body !== undefined))("%s: other fields", async (_, one) => {
    expect(await codeOf(one, signedIn, '{"nonsense":true}')).toBe("validation_failed");
  });
});
