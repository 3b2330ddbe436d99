/** `POST /console/api/prove`: the person of a session proves again to be it. */
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { type PersonRequest, personRoute, type Route } from "../platform/http/route.ts";
import { keepProof, readPassword } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import { isPassword } from "./passwords.ts";
import { writeDownPerson } from "./person.ts";
import { provenUntil } from "./proof.ts";
import { proofBody, proofData } from "./schemas.ts";
import { hasAuthenticator, takeCode } from "./second-factor.ts";
import type { SignInDependencies } from "./sign-in-routes.ts";

export function proveRoute(deps: SignInDependencies): Route {
  return personRoute({
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

type Proof = Pick<PersonRequest<unknown, unknown, ProofBody>, "person" | "body" | "address" | "read">;
type ProofBody = { readonly password?: string; readonly code?: string };

async function isRight({ db, people, sealer }: SignInDependencies, { person, body, address, read }: Proof) {
  if (await read((tx) => hasAuthenticator(tx, person.id))) {
    await people.slowDownCodes({ address, email: person.email });
    return inEnvironment(db, operatorScope, (tx) => takeCode(tx, sealer, person.id, body.code ?? ""));
  }
  return isPassword(await read((tx) => readPassword(tx, person.id)), body.password ?? "");
}
