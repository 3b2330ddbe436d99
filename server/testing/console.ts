/** People at the console: made as the house makes them, signed in as a browser does. */
import type { LightMyRequestResponse } from "fastify";
import { Secret, TOTP } from "otpauth";
import { ensureMember, ensureOperator, ensurePerson } from "../src/console/console-store.ts";
import type { MerchantRole, OperatorRole } from "../src/console/roles.ts";
import { makeSignInToken } from "../src/console/sign-in-link.ts";
import { inEnvironment, operatorScope } from "../src/platform/database/database.ts";
import type { TestApp } from "./app.ts";
import { asOwner } from "./work.ts";

export interface Visitor {
  readonly personId: string;
  readonly email: string;
  /** What a browser sends. */
  readonly cookie: string;
  /** Sends a request as the console's pages do. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** The same, to a path of the public API in the first merchant's sandbox. */
  call(method: string, path: string, body?: unknown): Promise<LightMyRequestResponse>;
}

/** What the console's pages send with every change. */
export const fromPage = { origin: "http://localhost:4000", "x-jara-console": "1" } as const;

interface PersonWanted {
  readonly email: string;
  readonly role?: MerchantRole;
  readonly merchantId?: string;
  readonly operator?: OperatorRole;
}

export async function makePerson(testing: TestApp, wanted: PersonWanted): Promise<string> {
  const { email, role, operator, merchantId = testing.merchant.merchant.id } = wanted;
  return inEnvironment(testing.db, operatorScope, async (tx) => {
    const personId = await ensurePerson(tx, { email, name: email.split("@")[0] ?? email });
    if (role !== undefined) await ensureMember(tx, merchantId, personId, role);
    if (operator !== undefined) await ensureOperator(tx, personId, operator);
    return personId;
  });
}

export function makeLink(testing: TestApp, personId: string): Promise<string> {
  return inEnvironment(testing.db, operatorScope, (tx) => makeSignInToken(tx, personId));
}

export function redeem({ app }: TestApp, token: string): Promise<LightMyRequestResponse> {
  return app.inject({ method: "POST", url: "/console/api/sign-in-link", headers: fromPage, payload: { token } });
}

/** Name and value, as a browser sends them back. */
export function cookieOf(reply: LightMyRequestResponse): string {
  return [reply.headers["set-cookie"] ?? []]
    .flat()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

export async function signIn(testing: TestApp, wanted: PersonWanted): Promise<Visitor> {
  const personId = await makePerson(testing, wanted);
  const cookie = cookieOf(await redeem(testing, await makeLink(testing, personId)));
  const ask: Visitor["ask"] = (method, path, body, headers = {}) =>
    testing.app.inject({
      method: method as "GET",
      url: path,
      headers: { cookie, ...(method === "GET" ? {} : fromPage), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
  const sandbox = `/console/api/environments/${testing.merchant.environment.id}`;
  return {
    personId,
    email: wanted.email,
    cookie,
    ask,
    call: (method, path, body) => ask(method, `${sandbox}${path}`, body),
  };
}

/** As if everybody had signed in, and proved to be it, eleven minutes earlier. */
export async function ageSessions({ ownerUrl }: Pick<TestApp, "ownerUrl">): Promise<void> {
  await asOwner(
    ownerUrl,
    `update person_sessions set created_at = created_at - interval '11 minutes',
       proven_at = proven_at - interval '11 minutes'`,
  );
}

/** What the authenticator app on a phone shows; `steps` from now. */
export function shownCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}
