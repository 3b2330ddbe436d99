/** Who is at the console, from the cookie of a request: a person, a person in an environment, a person as operator. */
import type { FastifyRequest } from "fastify";
import { type Database, inEnvironment, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { Caller, Person } from "../platform/http/caller.ts";
import { pathOf } from "../platform/http/known-paths.ts";
import type { Route } from "../platform/http/route.ts";
import type { Logger } from "../platform/logger.ts";
import { commonProblem } from "../platform/problem.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { rememberFor } from "../platform/remember.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { keepConsoleSecret } from "./console-secret.ts";
import { findOperatorRole, findPlace, readSessionAddresses } from "./console-store.ts";
import { isReading } from "./door.ts";
import { consoleProblem, notSignedIn } from "./errors.ts";
import { type Attempt, createSignInGuard } from "./guard-sign-in.ts";
import { operatorMay, scopesOf } from "./roles.ts";
import { addressHeader, createSignIn, type SignIn } from "./sign-in.ts";

export interface PeopleOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly publicUrl: string;
  /** What keys can be limited to, of all slices. */
  readonly scopes: readonly string[];
}

export interface People {
  /** Made when it is first needed: its secret is in the database. */
  signIn(): Promise<SignIn>;
  /** Throws `not_signed_in`. */
  recognise(request: FastifyRequest): Promise<Person>;
  enter(request: FastifyRequest, environmentId: string): Promise<Caller>;
  operate(request: FastifyRequest, route: Route): Promise<{ readonly name: string }>;
  /** Writes down what a person is about to change. */
  admit(request: FastifyRequest, caller: Caller): Promise<void>;
  /** Refuses who guesses passwords. */
  slowDown(attempt: Attempt): Promise<void>;
  /** Gives a person a first password. */
  setPassword(cookie: string, newPassword: string): Promise<void>;
  /** Signs a person in, and returns the cookie. */
  begin(personId: string, from: Visit): Promise<string>;
}

/** Where somebody comes from who signs in. */
export interface Visit {
  readonly address: string;
  readonly userAgent: string;
}

export function createPeople({ db, log, sealer, publicUrl, scopes }: PeopleOptions): People {
  const signIn = rememberFor(Number.POSITIVE_INFINITY, async () =>
    createSignIn({ db, log, publicUrl, secret: await keepConsoleSecret(db, sealer) }),
  );
  const recognise = async ({ headers }: FastifyRequest): Promise<Person> => {
    if (headers.cookie === undefined) throw notSignedIn();
    const { api } = await signIn();
    const found = await api.getSession({ headers: new Headers({ cookie: headers.cookie }) });
    if (found === null) throw notSignedIn();
    const { user, session } = found;
    return { id: user.id, email: user.email, name: user.name, sessionId: session.id, signedInAt: session.createdAt };
  };
  const slowDown = createSignInGuard((email) =>
    readEnvironment(db, operatorScope, (tx) => readSessionAddresses(tx, email)),
  );
  return {
    signIn,
    recognise,
    slowDown,
    async setPassword(cookie, newPassword) {
      const { api } = await signIn();
      await api.setPassword({ body: { newPassword }, headers: new Headers({ cookie }) });
    },
    async enter(request, environmentId) {
      const person = await recognise(request);
      const place = await readEnvironment(db, operatorScope, (tx) => findPlace(tx, person.id, environmentId));
      // A stranger does not learn whether the environment exists.
      if (place === undefined) throw commonProblem("environment_not_found");
      const { merchantId, kind, role } = place;
      return { environmentId, kind, merchantId, holderId: person.id, scopes: scopesOf(role, scopes), person };
    },
    async operate(request, route) {
      const person = await recognise(request);
      const role = await readEnvironment(db, operatorScope, (tx) => findOperatorRole(tx, person.id));
      if (role === null || !operatorMay(role, route)) throw consoleProblem("role_missing", { data: { role } });
      return { name: person.email };
    },
    admit: (request, caller) => writeDown(db, request, caller),
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
