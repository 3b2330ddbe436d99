/** What people at the console may do: a person, a person in an environment, a person as operator. */
import type { FastifyRequest } from "fastify";
import {
  type Database,
  type EnvironmentKind,
  inEnvironment,
  operatorScope,
  readEnvironment,
} from "../platform/database/database.ts";
import type { Caller, Member, Person } from "../platform/http/caller.ts";
import { isOfOwnNetwork } from "../platform/http/guard/address-blocks.ts";
import { createRateLimiter, type RateLimit } from "../platform/http/guard/rate-limit.ts";
import { bucketOf } from "../platform/http/guard/strangers.ts";
import { pathOf } from "../platform/http/reply/known-paths.ts";
import type { Route } from "../platform/http/route.ts";
import { wantsProof } from "../platform/http/wants-proof.ts";
import type { Logger } from "../platform/logger.ts";
import { commonProblem } from "../platform/problem.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { rememberFor } from "../platform/remember.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { keepConsoleSecret } from "./console-secret.ts";
import { findOperatorRole, findPlace, hasLiveEnvironment, readSessionAddresses, readWaysIn } from "./console-store.ts";
import { isReading } from "./door.ts";
import { consoleProblem, notSignedIn } from "./errors.ts";
import { isProven, proofWaysOf } from "./proof.ts";
import { operatorMay, scopesOf } from "./roles.ts";
import { addressHeader, createSignIn, type SignIn } from "./sign-in.ts";

export interface PeopleOptions extends SessionOptions {
  /** What keys can be limited to, of all slices. */
  readonly scopes: readonly string[];
  readonly trustProxy: false | number | string;
  /**
   * Whether a request comes from the person at the machine that the server runs on and listens to alone. Undefined
   * where there is no demo merchant, as in production.
   */
  readonly isAtHome?: ((request: FastifyRequest) => boolean) | undefined;
}

export interface People extends Omit<Sessions, "recognise"> {
  /** Who asks for something that is about people. Throws `not_signed_in`, and `proof_needed` where the route wants it. */
  meet(request: FastifyRequest, route: Route): Promise<Person>;
  enter(request: FastifyRequest, environmentId: string): Promise<Member>;
  operate(request: FastifyRequest, route: Route): Promise<{ readonly name: string }>;
  /** Writes down what a person is about to change, once it is proved that it is them. */
  admit(request: FastifyRequest, caller: Caller, route: Route): Promise<void>;
  /** Refuses who guesses passwords. */
  slowDown(attempt: Attempt): Promise<void>;
  /** Refuses who guesses codes: there are but a million of them. */
  slowDownCodes(attempt: Attempt): Promise<void>;
}

export function createPeople({ scopes, trustProxy, isAtHome, ...options }: PeopleOptions): People {
  const { db } = options;
  const { recognise, ...sessions } = createSessions(options);
  // A developer's own machine with sandboxes only: there is no money, and whoever sits there can read the server's
  // files. The demo merchant's owner has no password, so a proof would be a new sign-in link every ten minutes.
  const isOnlyPlay = async (request: FastifyRequest) =>
    isAtHome?.(request) === true && !(await readEnvironment(db, operatorScope, hasLiveEnvironment));
  const askForProof = async (
    request: FastifyRequest,
    person: Person,
    route: Route,
    kind: EnvironmentKind | null = null,
  ) => {
    if (!wantsProof(route, kind) || isProven(person) || (await isOnlyPlay(request))) return;
    const waysIn = await readEnvironment(db, operatorScope, (tx) => readWaysIn(tx, person.id));
    throw consoleProblem("proof_needed", { data: { ways: proofWaysOf(waysIn) } });
  };
  const readAddresses = (email: string) => readEnvironment(db, operatorScope, (tx) => readSessionAddresses(tx, email));
  return {
    ...sessions,
    slowDown: createSignInGuard(readAddresses, { trustProxy }),
    slowDownCodes: createSignInGuard(readAddresses, { trustProxy, perAccount: codesPerAccount }),
    async meet(request, route) {
      const person = await recognise(request);
      await askForProof(request, person, route);
      return person;
    },
    async enter(request, environmentId) {
      const findHere = async () => {
        const person = await recognise(request);
        const place = await readEnvironment(db, operatorScope, (tx) => findPlace(tx, person.id, environmentId));
        // A stranger does not learn whether the environment exists.
        if (place === undefined) throw commonProblem("environment_not_found");
        return { person, place };
      };
      const { person, place } = await findHere();
      const { merchantId, kind, role } = place;
      return {
        environmentId,
        kind,
        merchantId,
        holderId: person.id,
        scopes: scopesOf(role, scopes),
        person,
        recheck: async () => void (await findHere()),
      };
    },
    async operate(request, route) {
      const person = await recognise(request);
      const role = await readEnvironment(db, operatorScope, (tx) => findOperatorRole(tx, person.id));
      if (role === null || !operatorMay(role, route)) throw consoleProblem("role_missing", { data: { role } });
      await askForProof(request, person, route);
      return { name: person.email };
    },
    async admit(request, caller, route) {
      if (caller.person !== null) await askForProof(request, caller.person, route, caller.kind);
      await writeDown(db, request, caller);
    },
  };
}

async function writeDown(db: Database, request: FastifyRequest, { person, environmentId }: Caller): Promise<void> {
  if (person === null || isReading(request)) return;
  const origin = { actor: person.email, address: request.ip, requestId: request.id };
  await inEnvironment(db, operatorScope, (tx) =>
    recordAudit(tx, origin, {
      action: "console.request",
      subjectType: "person",
      subjectId: person.id,
      environmentId,
      detail: { method: request.method, path: pathOf(request.url) },
    }),
  );
}

/**
 * Slows down guessing of passwords. Every attempt takes a token before its password is looked at: one of its address,
 * and one of the account. Attempts on an account are counted apart for addresses where the person has a session, and by
 * nothing else there, so nobody who empties the account's bucket from elsewhere, or the bucket of their address, locks
 * its owner out. Nothing is locked for good: buckets fill up again by themselves.
 *
 * Where no proxy is named in TRUST_PROXY, an address of the operator's own network may be the proxy's, and so
 * everybody's. Only accounts are counted there.
 */
interface Attempt {
  readonly address: string;
  /** Undefined where a person who is signed in gives a password again. */
  readonly email: string | undefined;
}

/** Addresses of the sessions that an account has. */
type ReadAddresses = (email: string) => Promise<readonly string[]>;

const perAddress = { perSecond: 1 / 10, burst: 30 };
const passwordsPerAccount = { perSecond: 1 / 30, burst: 10 };
/** Three of a million codes are right at a time: who knows the password has one chance in a thousand a day. */
const codesPerAccount = { perSecond: 1 / 300, burst: 5 };

interface GuardOptions {
  readonly trustProxy: false | number | string;
  readonly perAccount?: RateLimit;
  readonly now?: () => number;
}

export function createSignInGuard(
  readAddresses: ReadAddresses,
  { trustProxy, perAccount = passwordsPerAccount, now }: GuardOptions,
): (attempt: Attempt) => Promise<void> {
  const addresses = createRateLimiter(perAddress, now);
  const accounts = createRateLimiter(perAccount, now);
  return async ({ address, email }) => {
    const from = bucketOf(address);
    const isKnown = email !== undefined && (await readAddresses(email)).some((one) => bucketOf(one) === from);
    const mayBeEverybodys = trustProxy === false && isOfOwnNetwork(address);
    const waits = isKnown || mayBeEverybodys ? [] : [addresses.take(from)];
    if (email !== undefined) waits.push(accounts.take(isKnown ? `${email} from ${from}` : email));
    const waitSeconds = Math.max(0, ...waits.filter(({ allowed }) => !allowed).map((refused) => refused.waitSeconds));
    if (waitSeconds === 0) return;
    throw commonProblem("rate_limited", {
      message: "Too many attempts to sign in. Wait for the seconds in Retry-After, or use a sign-in link.",
      headers: { "Retry-After": String(waitSeconds) },
    });
  };
}

/** How sessions begin, and who is behind the cookie of a request. */
interface SessionOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly publicUrl: string;
}

interface Sessions {
  /** Made when it is first needed: its secret is in the database. */
  signIn(): Promise<SignIn>;
  /** Throws `not_signed_in`. */
  recognise(request: FastifyRequest): Promise<Person>;
  /** Signs a person in, and returns the cookie. */
  begin(personId: string, from: Visit): Promise<string>;
}

/** Where somebody comes from who signs in. */
interface Visit {
  readonly address: string;
  readonly userAgent: string;
}

function createSessions({ db, log, sealer, publicUrl }: SessionOptions): Sessions {
  const signIn = rememberFor(Number.POSITIVE_INFINITY, async () =>
    createSignIn({ db, log, publicUrl, secret: await keepConsoleSecret(db, sealer) }),
  );
  return {
    signIn,
    async recognise({ headers }) {
      if (headers.cookie === undefined) throw notSignedIn();
      const { api } = await signIn();
      const found = await api.getSession({ headers: new Headers({ cookie: headers.cookie }) });
      if (found === null) throw notSignedIn();
      const { user, session } = found;
      const { createdAt: signedInAt, provenAt } = session;
      const latest = provenAt && provenAt > signedInAt ? provenAt : signedInAt;
      return { id: user.id, email: user.email, name: user.name, sessionId: session.id, signedInAt, provenAt: latest };
    },
    async begin(personId, { address, userAgent }) {
      const { api } = await signIn();
      const begun = await api.beginSession({
        body: { personId },
        headers: new Headers({ [addressHeader]: address, "user-agent": userAgent }),
        returnHeaders: true,
      });
      const [cookie] = begun.headers.getSetCookie();
      if (cookie === undefined) throw new Error("a session began without its cookie");
      return cookie;
    },
  };
}
