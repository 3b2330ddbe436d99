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
import { pathOf } from "../platform/http/known-paths.ts";
import type { Route } from "../platform/http/route.ts";
import { wantsProof } from "../platform/http/wants-proof.ts";
import { commonProblem } from "../platform/problem.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { findOperatorRole, findPlace, readSessionAddresses, readWaysIn } from "./console-store.ts";
import { isReading } from "./door.ts";
import { consoleProblem } from "./errors.ts";
import { type Attempt, codesPerAccount, createSignInGuard } from "./guard-sign-in.ts";
import { isProven, proofWaysOf } from "./proof.ts";
import { operatorMay, scopesOf } from "./roles.ts";
import { createSessions, type SessionOptions, type Sessions } from "./sessions.ts";

export interface PeopleOptions extends SessionOptions {
  /** What keys can be limited to, of all slices. */
  readonly scopes: readonly string[];
  readonly trustProxy: false | number | string;
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

export function createPeople({ scopes, trustProxy, ...options }: PeopleOptions): People {
  const { db } = options;
  const { recognise, ...sessions } = createSessions(options);
  const askForProof = async (person: Person, route: Route, kind: EnvironmentKind | null = null) => {
    if (!wantsProof(route, kind) || isProven(person)) return;
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
      await askForProof(person, route);
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
      await askForProof(person, route);
      return { name: person.email };
    },
    async admit(request, caller, route) {
      if (caller.person !== null) await askForProof(caller.person, route, caller.kind);
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
