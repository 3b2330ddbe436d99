/** How sessions begin, and who is behind the cookie of a request. */
import type { FastifyRequest } from "fastify";
import type { Database } from "../platform/database/database.ts";
import type { Person } from "../platform/http/caller.ts";
import type { Logger } from "../platform/logger.ts";
import { rememberFor } from "../platform/remember.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { keepConsoleSecret } from "./console-secret.ts";
import { notSignedIn } from "./errors.ts";
import { addressHeader, createSignIn, type SignIn } from "./sign-in.ts";

export interface SessionOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly publicUrl: string;
}

export interface Sessions {
  /** Made when it is first needed: its secret is in the database. */
  signIn(): Promise<SignIn>;
  /** Throws `not_signed_in`. */
  recognise(request: FastifyRequest): Promise<Person>;
  /** Signs a person in, and returns the cookie. */
  begin(personId: string, from: Visit): Promise<string>;
}

/** Where somebody comes from who signs in. */
export interface Visit {
  readonly address: string;
  readonly userAgent: string;
}

export function createSessions({ db, log, sealer, publicUrl }: SessionOptions): Sessions {
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
