/** `POST /console/api/prove`: the person of a session proves again to be it. */
import { verifyPassword } from "better-auth/crypto";
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import { personRoute, type Route } from "../platform/http/route.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { keepProof, readPassword } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import type { People } from "./people.ts";
import { originOfPerson } from "./person.ts";
import { provenUntil } from "./proof.ts";
import { proofBody, proofData } from "./schemas.ts";

export function proveRoute({ db, people }: { readonly db: Database; readonly people: People }): Route {
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
      const { person, body, address } = request;
      await people.slowDown({ address, email: person.email });
      const hash = await request.read((tx) => readPassword(tx, person.id));
      if (hash === undefined || !(await verifyPassword({ hash, password: body.password }))) {
        throw consoleProblem("proof_wrong");
      }
      const provenAt = await inEnvironment(db, operatorScope, async (tx) => {
        await recordAudit(tx, originOfPerson(request), {
          action: "person.prove",
          subjectType: "person",
          subjectId: person.id,
        });
        return keepProof(tx, person.sessionId);
      });
      return { data: { provenUntil: provenUntil({ provenAt }).toISOString() } };
    },
  });
}
