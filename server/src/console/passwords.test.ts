/** Signing in with a password, and how sessions end. */
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageSessions, cookieOf, fromPage, makeLink, makePerson, redeem, signIn } from "../../testing/console.ts";
import { asOwner } from "../../testing/work.ts";
import { inEnvironment } from "../platform/database/database.ts";

const testing = await createTestApp({ trustProxy: 1 });
const { app } = testing;
const password = "correct horse battery";
const ada = await signIn(testing, { email: "ada@example.com", role: "owner" });

/** Each from an address of its own, unless a test wants one. */
let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

function enter(email: string, given: string, address = nextAddress(), headers = {}) {
  return app.inject({
    method: "POST",
    url: "/console/api/sign-in",
    headers: { ...fromPage, "x-forwarded-for": address, ...headers },
    payload: { email, password: given },
  });
}

const me = (cookie: string) => app.inject({ url: "/console/api/me", headers: { cookie } });
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];

beforeAll(async () => {
  const set = await ada.ask("POST", "/console/api/password", { newPassword: password });
  expect(set.statusCode).toBe(200);
});

describe("a password", () => {
  test("lets its person in, and gives a session that was not there before", async () => {
    const reply = await enter("Ada@Example.com", password, undefined, {
      cookie: "jara.session_token=chosen-by-a-thief",
    });
    expect(reply.statusCode).toBe(200);
    const cookie = cookieOf(reply);
    expect(cookie).toMatch(/^jara\.session_token=/);
    expect(cookie).not.toContain("chosen-by-a-thief");
    expect((await me(cookie)).json().data.user.email).toBe("ada@example.com");
    expect((await me("jara.session_token=chosen-by-a-thief")).statusCode).toBe(401);
  });

  test("that is wrong gets the same reply as an address that nobody has, after the same work", async () => {
    const timed = async (email: string) => {
      const start = performance.now();
      const reply = await enter(email, "not the password");
      return { ms: performance.now() - start, reply };
    };
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    for (let n = 0; n < 4; n += 1) {
      const known = await timed("ada@example.com");
      const unknown = await timed(`nobody${n}@example.com`);
      expect(codeOf(unknown.reply)).toEqual([401, "sign_in_wrong"]);
      expect({ ...unknown.reply.json(), requestId: "" }).toEqual({ ...known.reply.json(), requestId: "" });
      times.known.push(known.ms);
      times.unknown.push(unknown.ms);
    }
    // The hash is most of the time; without one the reply would be there at once.
    expect(Math.min(...times.unknown)).toBeGreaterThan(Math.min(...times.known) * 0.4);
  });

  test.each([
    ["eleven signs", "elevensigns", 422],
    ["more than anybody types", "x".repeat(257), 422],
  ])("of %s is refused", async (_, newPassword, status) => {
    const bola = await signIn(testing, { email: "bola@example.com", role: "viewer" });
    const reply = await bola.ask("POST", "/console/api/password", { newPassword });
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([status, "newPassword"]);
  });

  test("needs no capitals, digits or signs", async () => {
    const bola = await signIn(testing, { email: "bola@example.com", role: "viewer" });
    const reply = await bola.ask("POST", "/console/api/password", { newPassword: "twelve small letters" });
    expect(reply.statusCode).toBe(200);
  });

  test("is not chosen with a session that is older than ten minutes", async () => {
    const chidi = await signIn(testing, { email: "chidi@example.com", role: "viewer" });
    await ageSessions(testing);
    const reply = await chidi.ask("POST", "/console/api/password", { newPassword: password });
    expect(codeOf(reply)).toEqual([403, "proof_needed"]);
  });

  test("is kept as a scrypt hash only", async () => {
    const kept = await testing.db.selectFrom("person_credentials").select("password").execute();
    expect(kept.length).toBeGreaterThan(0);
    for (const row of kept) expect(row.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });

  test("cannot be guessed for long", async () => {
    const outcomes: number[] = [];
    for (let n = 0; n < 12; n += 1)
      outcomes.push((await enter("dayo@example.com", "guess number x", "198.51.100.9")).statusCode);
    expect(outcomes.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(outcomes.at(-1)).toBe(429);
  });
});

test("nobody signs up, and what the library could do besides is not there", async () => {
  const payload = { email: "eve@example.com", password, name: "Eve" };
  for (const path of [
    "sign-up/email",
    "sign-in/email",
    "get-session",
    "list-sessions",
    "revoke-session",
    "change-password",
    "set-password",
    "update-user",
    "delete-user",
    "change-email",
    "jara/begin-session",
    "link-social",
  ]) {
    const url = `/console/api/auth/${path}`;
    expect((await app.inject({ method: "POST", url, headers: fromPage, payload })).statusCode, path).toBe(404);
  }
});

describe("a session", () => {
  test("ends when its person signs out, also for a thief who copied the cookie", async () => {
    const cookie = cookieOf(await enter("ada@example.com", password));
    const out = await app.inject({
      method: "POST",
      url: "/console/api/auth/sign-out",
      headers: { ...fromPage, cookie },
      payload: {},
    });
    expect(out.statusCode).toBe(200);
    expect(codeOf(await me(cookie))).toEqual([401, "not_signed_in"]);
  });

  test("ends when its time is over", async () => {
    const cookie = cookieOf(await enter("ada@example.com", password));
    await asOwner(testing.ownerUrl, "update person_sessions set expires_at = now() - interval '1 second'");
    expect(codeOf(await me(cookie))).toEqual([401, "not_signed_in"]);
  });
});

test("a link that has expired opens nothing", async () => {
  const token = await makeLink(testing, await makePerson(testing, { email: "late@example.com" }));
  await asOwner(testing.ownerUrl, "update sign_in_links set expires_at = now() - interval '1 second'");
  expect(codeOf(await redeem(testing, token))).toEqual([401, "sign_in_link_invalid"]);
});

test("a tenant's transaction sees nobody", async () => {
  for (const table of ["people", "person_sessions", "person_credentials", "memberships", "sign_in_links"]) {
    const seen = await inEnvironment(testing.db, testing.merchant.environment.id, (tx) =>
      sql`select 1 from ${sql.table(table)}`.execute(tx),
    );
    expect(seen.rows, table).toEqual([]);
  }
});

describe("the cookie", () => {
  const attributesOf = async (publicUrl?: string) => {
    const own = publicUrl === undefined ? testing : await createTestApp({ publicUrl });
    const personId = await makePerson(own, { email: "ada@example.com", role: "owner" });
    const token = await makeLink(own, personId);
    const reply = await own.app.inject({
      method: "POST",
      url: "/console/api/sign-in-link",
      headers: { ...fromPage, ...(publicUrl === undefined ? {} : { origin: publicUrl }) },
      payload: { token },
    });
    return String(reply.headers["set-cookie"]);
  };

  test("is out of reach of scripts and other sites", async () => {
    const cookie = await attributesOf();
    expect(cookie).toMatch(/^jara\.session_token=.*; Path=\/.*; HttpOnly; SameSite=Strict/i);
    expect(cookie).not.toMatch(/Domain=|; Secure/i);
  });

  test("behind https is for this host and https only", async () => {
    const cookie = await attributesOf("https://pay.example.com");
    expect(cookie).toMatch(/^__Host-jara\.session_token=/);
    for (const word of [/; Path=\//i, /; HttpOnly/i, /; Secure/i, /; SameSite=Strict/i]) expect(cookie).toMatch(word);
    expect(cookie).not.toMatch(/Domain=/i);
  });
});
