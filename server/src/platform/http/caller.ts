/** Who is behind a request, once its guard has let it in. */
import type { FastifyRequest } from "fastify";
import type { EnvironmentKind } from "../database/database.ts";

/** The holder of a merchant's secret key, or a person of the merchant at the console. */
export interface Caller {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
  readonly merchantId: string;
  /** The id of the key, or of the person: what requests are counted by. */
  readonly holderId: string;
  readonly scopes: readonly string[];
  /** Null for a key. */
  readonly person: Person | null;
  /** For what goes on after the request was let in: throws what the guard would throw by now. */
  recheck(): Promise<void>;
}

/** A person of the merchant at the console. */
export interface Member extends Caller {
  readonly person: Person;
}

/** Somebody who is signed in at the console. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  readonly signedInAt: Date;
  /** When they last proved to be it: by signing in, or by a password or code since. */
  readonly provenAt: Date;
}

/** Which of the hosted pages: each kind has tokens of its own, and a token of one opens nothing of another. */
export type PageKind = "checkout" | "card-link" | "plan" | "plan-visit";

/** The holder of a hosted page's token: a customer in a browser, who may act on that one record only. */
export interface Page {
  readonly kind: PageKind;
  /** The record that the page is about: a checkout session, a card link, a plan's page, a visit at it. */
  readonly pageId: string;
  readonly environmentId: string;
  readonly environmentKind: EnvironmentKind;
}

/** Where a request works, once its guard knows. */
export function environmentOf({ caller, page }: FastifyRequest): string | undefined {
  return caller?.environmentId ?? page?.environmentId;
}

/** `*` is everything, also what is added later. */
export const everyScope = "*";

/** Writing does not include reading: a key has exactly the scopes that it lists. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, scope: string): boolean {
  return scopes.includes(everyScope) || scopes.includes(scope);
}
