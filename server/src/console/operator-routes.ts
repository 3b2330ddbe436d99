/** How the first people come in: an operator lets them in, and hands each a link that works once. */
import type { Tx } from "../platform/database/database.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { commonProblem } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { ensurePerson, setMember, setOperator } from "./console-store.ts";
import type { NewPerson } from "./person.ts";
import { newPersonBody, newPersonData } from "./schemas.ts";
import { deleteAuthenticator } from "./second-factor-store.ts";
import { makeSignInToken, signInAddress } from "./sign-in-link.ts";

export function personRoutes({ publicUrl }: { readonly publicUrl: string }): Route[] {
  return [
    operatorRoute({
      method: "POST",
      path: "/operator/people",
      operationId: "createPerson",
      tag: "Operator",
      summary: "Let a person into the console",
      description:
        "Gives the person with this e-mail address a role at a merchant, or among the operator's people, or both, and returns a link that signs them in once within twelve hours. Hand the link to that person and to nobody else: who opens it is that person. Sending it again changes the role and makes a new link, which ends the one before.",
      body: newPersonBody,
      reply: {
        status: 201,
        message: "Person let in. Hand the link over now: it is not shown again.",
        data: newPersonData,
      },
      problems: ["merchant_not_found"],
      handle: (request) =>
        request.write(async (tx) => {
          const { body } = request;
          if ((body.merchantId === undefined) !== (body.role === undefined)) throw incomplete();
          if (body.role === undefined && body.operatorRole === undefined) throw incomplete();
          const id = await letIn(tx, body);
          const { email, merchantId = null, role = null, operatorRole = null, authenticatorLost = false } = body;
          if (authenticatorLost) await deleteAuthenticator(tx, id);
          await recordAudit(tx, originOf(request), {
            action: "person.create",
            subjectType: "person",
            subjectId: id,
            detail: { email, merchantId, role, operatorRole, authenticatorLost },
          });
          const signInLink = signInAddress(publicUrl, await makeSignInToken(tx, id));
          return { data: { id, email: email.toLowerCase(), signInLink } };
        }),
    }),
  ];
}

function incomplete() {
  const message = "must come together with merchantId, or operatorRole must be sent";
  return commonProblem("validation_failed", { errors: [{ field: "role", message }] });
}

async function letIn(tx: Tx, { email, name, merchantId, role, operatorRole }: NewPerson): Promise<string> {
  const personId = await ensurePerson(tx, { email, name });
  if (merchantId !== undefined && role !== undefined) await setMember(tx, merchantId, personId, role);
  if (operatorRole !== undefined) await setOperator(tx, personId, operatorRole);
  return personId;
}
