/** How a person comes in: with a password, or with a link that works once, and with a code where they have an app. */
import { Type } from "typebox";
import { type Database, inEnvironment, operatorScope, type Tx } from "../platform/database/database.ts";
import { describeRoute, type Reply, type Route, type RouteRequest } from "../platform/http/route.ts";
import { recordAudit } from "../platform/records/audit.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { findPasswords } from "./console-store.ts";
import { consoleProblem, notSignedIn } from "./errors.ts";
import { whosePassword } from "./passwords.ts";
import type { People } from "./people.ts";
import { linkBody, signInBody } from "./schemas.ts";
import { hasAuthenticator, takeCode } from "./second-factor.ts";
import { findLinked, takeSignInToken } from "./sign-in-link.ts";

export interface SignInDependencies {
  readonly db: Database;
  readonly people: People;
  readonly sealer: Sealer;
  /** The console's address, for which passkeys sign. */
  readonly publicUrl: string;
}

const signedIn = Type.Object({ signedIn: Type.Literal(true) });
export const signedInReply = {
  status: 200,
  message: "You are signed in.",
  data: signedIn,
  headers: { "Set-Cookie": "The session." },
} as const;

export function signInRoutes(deps: SignInDependencies): Route[] {
  return [passwordRoute(deps), linkRoute(deps)];
}

function passwordRoute(deps: SignInDependencies): Route {
  return describeRoute("visitor", {
    method: "POST",
    path: "/console/api/sign-in",
    summary: "Sign in with a password",
    description: "Begins a session. A person with an authenticator app sends its code along, or a recovery code.",
    body: signInBody,
    keepsNothing: true,
    reply: signedInReply,
    problems: ["sign_in_wrong", "code_needed", "code_wrong"],
    handle: async (request) => {
      const { email: typed, password, code } = request.body;
      const email = typed.toLowerCase();
      await deps.people.slowDown({ address: request.address, email });
      const known = await request.read((tx) => findPasswords(tx, email));
      const personId = await whosePassword(known, password);
      if (personId === undefined) throw notSignedIn("sign_in_wrong");
      return enter(deps, request, { personId, email, code, by: "password" });
    },
  });
}

function linkRoute(deps: SignInDependencies): Route {
  return describeRoute("visitor", {
    method: "POST",
    path: "/console/api/sign-in-link",
    summary: "Sign in by a link",
    description:
      "Begins a session with what a sign-in link holds. A link works once; asking for a code does not use it.",
    body: linkBody,
    keepsNothing: true,
    reply: signedInReply,
    problems: ["sign_in_link_invalid", "code_needed", "code_wrong"],
    handle: async (request) => {
      const { token, code } = request.body;
      const linked = await request.read((tx) => findLinked(tx, token));
      return enter(deps, request, { ...linked, code, by: "link" }, (tx) => takeSignInToken(tx, token));
    },
  });
}

interface Entry {
  readonly personId: string;
  readonly email: string;
  readonly code: string | undefined;
  readonly by: "password" | "link";
}

type Asking = Pick<RouteRequest<"visitor">, "address" | "requestId" | "headers" | "read">;

/** `use` uses up what the person came with, together with the code or not at all. */
async function enter(
  { db, people, sealer }: SignInDependencies,
  { address, requestId, headers, read }: Asking,
  { personId, email, code, by }: Entry,
  use: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<Reply<{ signedIn: true }>> {
  const wantsCode = await read((tx) => hasAuthenticator(tx, personId));
  if (wantsCode && code === undefined) throw notSignedIn("code_needed");
  if (wantsCode) await people.slowDownCodes({ address, email });
  await inEnvironment(db, operatorScope, async (tx) => {
    await use(tx);
    if (wantsCode && !(await takeCode(tx, sealer, personId, code ?? ""))) throw consoleProblem("code_wrong");
    await recordAudit(
      tx,
      { actor: email, address, requestId },
      {
        action: "person.sign_in",
        subjectType: "person",
        subjectId: personId,
        detail: { by: wantsCode ? `${by} and code` : by },
      },
    );
  });
  return beginSession(people, { address, headers }, personId);
}

export async function beginSession(
  people: People,
  { address, headers }: Pick<Asking, "address" | "headers">,
  personId: string,
): Promise<Reply<{ signedIn: true }>> {
  const agent = headers["user-agent"];
  const cookie = await people.begin(personId, { address, userAgent: typeof agent === "string" ? agent : "" });
  return { data: { signedIn: true as const }, headers: { "set-cookie": cookie } };
}
