import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Static } from "typebox";
import { inEnvironment, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { Person } from "../platform/http/caller.ts";
import { describeRoute, type Route, type RouteRequest } from "../platform/http/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { keepProof, readBelongings, readPassword, readWaysIn } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import { joinRoutes } from "./join-routes.ts";
import { siteOf } from "./passkey.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import type { Signed } from "./passkey-schemas.ts";
import { passkeySignInRoutes } from "./passkey-sign-in.ts";
import { findPasskey } from "./passkey-store.ts";
import { isPassword } from "./passwords.ts";
import { writeDownPerson } from "./person.ts";
import { provenUntil } from "./proof.ts";
import { meData, presentMe, proofBody, proofData } from "./schemas.ts";
import { hasAuthenticator, takeCode } from "./second-factor.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { type SignInDependencies, signInRoutes } from "./sign-in-routes.ts";
import { type TeamDependencies, teamRoutes } from "./team-routes.ts";
import { takeSigned } from "./use-passkeys.ts";

export type ConsoleDependencies = SignInDependencies & TeamDependencies;

export function consoleRoutes(deps: ConsoleDependencies): Route[] {
  const comingIn = [...signInRoutes(deps), ...passkeySignInRoutes(deps), proveRoute(deps), ...joinRoutes(deps)];
  const own = [meRoute(), ...accountRoutes(deps), ...secondFactorRoutes(deps), ...passkeyRoutes(deps)];
  return [...comingIn, ...own, ...teamRoutes(deps)];
}

function meRoute(): Route {
  return describeRoute("person", {
    method: "GET",
    path: "/console/api/me",
    summary: "Who am I",
    description: "The person who is signed in, with the merchants they work for and their role in each.",
    reply: { status: 200, message: "You are signed in.", data: meData },
    handle: async ({ person, read }) => ({
      data: await read(async (tx) =>
        presentMe(person, await readBelongings(tx, person.id), await readWaysIn(tx, person.id)),
      ),
    }),
  });
}

/** `POST /console/api/prove`: the person of a session proves again to be it. */
function proveRoute(deps: SignInDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/prove",
    summary: "Prove that it is you",
    description: "Counts for ten minutes in this session: until then writes that want a proof go through.",
    body: proofBody,
    keepsNothing: true,
    withoutProof: true,
    reply: { status: 200, message: "It is you. Send the request again.", data: proofData },
    problems: ["proof_wrong"],
    handle: async (request) => {
      const { person, address } = request;
      await deps.people.slowDown({ address, email: person.email });
      if (!(await isRight(deps, request))) throw consoleProblem("proof_wrong");
      const provenAt = await inEnvironment(deps.db, operatorScope, async (tx) => {
        await writeDownPerson(tx, request, "person.prove");
        return keepProof(tx, person.sessionId);
      });
      return { data: { provenUntil: provenUntil({ provenAt }).toISOString() } };
    },
  });
}

type ProofBody = Static<typeof proofBody>;
type Proof = Pick<RouteRequest<"person", unknown, unknown, ProofBody>, "person" | "body" | "address" | "read">;

async function isRight(deps: SignInDependencies, proof: Proof): Promise<boolean> {
  const { db, people, sealer } = deps;
  const { person, body, address, read } = proof;
  if (body.passkey !== undefined) return isSigned(deps, person, body.passkey);
  if (await read((tx) => hasAuthenticator(tx, person.id))) {
    await people.slowDownCodes({ address, email: person.email });
    return inEnvironment(db, operatorScope, (tx) => takeCode(tx, sealer, person.id, body.code ?? ""));
  }
  return isPassword(await read((tx) => readPassword(tx, person.id)), body.password ?? "");
}

async function isSigned({ db, publicUrl }: SignInDependencies, person: Person, sent: Static<typeof Signed>) {
  const response = { ...sent, clientExtensionResults: {} } as AuthenticationResponseJSON;
  const passkey = await readEnvironment(db, operatorScope, (tx) => findPasskey(tx, Buffer.from(sent.id, "base64url")));
  if (passkey?.personId !== person.id) return false;
  const asked = { purpose: "prove", sessionId: person.sessionId } as const;
  return takeSigned(db, siteOf(publicUrl), { passkey, response, asked });
}
