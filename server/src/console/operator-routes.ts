/** How the first people come in: an operator lets them in, and hands each a link that works once. And the operator's own. */
import { type Static, Type } from "typebox";
import type { Tx } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { ensurePerson, findOperatorRole, removeNamesakes, setMember, setOperator } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import { deleteOperator, endSessionsOf, listOperatorPeople, lockAdmins } from "./operator-people-store.ts";
import type { NewPerson, OperatorPerson } from "./person.ts";
import type { OperatorRole } from "./roles.ts";
import { doneData, newPersonBody, newPersonData, operatorPersonData, operatorRoleBody } from "./schemas.ts";
import { deleteAuthenticator } from "./second-factor-store.ts";
import { makeSignInToken, signInAddress } from "./sign-in-link.ts";

export function personRoutes(deps: { readonly publicUrl: string }): Route[] {
  return [letInRoute(deps), listRoute(), roleRoute(), removeRoute()];
}

function letInRoute({ publicUrl }: { readonly publicUrl: string }): Route {
  return describeRoute("operator", {
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
    problems: ["merchant_not_found", "last_admin"],
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
  });
}

const common = { tag: "Operator" } as const;
const onePath = "/operator/people/{id}";

function listRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    path: "/operator/people",
    operationId: "listOperatorPeople",
    summary: "List the operator's people",
    description: "Those who run the service at the console, longest there first. Merchants' people are not among them.",
    reply: { status: 200, message: "People retrieved.", data: Type.Array(operatorPersonData) },
    handle: async ({ read }) => ({ data: (await read(listOperatorPeople)).map(present) }),
  });
}

function present({ role, since, lastSeenAt, ...person }: OperatorPerson): Static<typeof operatorPersonData> {
  return {
    ...person,
    operatorRole: role,
    since: since.toISOString(),
    lastSeenAt: lastSeenAt === null ? null : lastSeenAt.toISOString(),
  };
}

function roleRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "PATCH",
    path: onePath,
    operationId: "changeOperatorRole",
    summary: "Change what one of the operator's people may do",
    description: "Counts from the person's next request on. The last admin stays one.",
    params: IdParams,
    body: operatorRoleBody,
    reply: { status: 200, message: "Role changed.", data: doneData },
    problems: ["operator_person_not_found", "last_admin"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const { operatorRole: role } = request.body;
        const before = await changeOperatorRole(tx, id, role);
        await recordAudit(tx, originOf(request), { ...deed("operator.role", id), detail: { before, role } });
        return { data: { done: true } };
      }),
  });
}

function removeRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "DELETE",
    path: onePath,
    operationId: "removeOperatorPerson",
    summary: "Take a person out of the operator's people",
    description:
      "Signs the person out everywhere, at once. What they are at merchants stays; they sign in again for that. The last admin cannot be removed.",
    params: IdParams,
    reply: { status: 200, message: "Person removed.", data: doneData },
    problems: ["operator_person_not_found", "last_admin"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const before = await removeOperator(tx, id);
        await recordAudit(tx, originOf(request), { ...deed("operator.remove", id), detail: { before } });
        return { data: { done: true } };
      }),
  });
}

const deed = (action: string, subjectId: string) => ({ action, subjectType: "person", subjectId });

function incomplete() {
  const message = "must come together with merchantId, or operatorRole must be sent";
  return commonProblem("validation_failed", { errors: [{ field: "role", message }] });
}

async function letIn(tx: Tx, { email, name, merchantId, role, operatorRole }: NewPerson): Promise<string> {
  const personId = await ensurePerson(tx, { email, name, ...(merchantId === undefined ? {} : { merchantId }) });
  if (merchantId !== undefined && role !== undefined) {
    await setMember(tx, merchantId, personId, role);
    await removeNamesakes(tx, merchantId, personId);
  }
  if (operatorRole !== undefined) await giveOperatorRole(tx, personId, operatorRole);
  return personId;
}

/** What admins do to the people who run the service. There is always an admin. In the operator's scope. */

/** Throws last_admin. Somebody who is not among them yet becomes one of them. */
async function giveOperatorRole(tx: Tx, personId: string, role: OperatorRole): Promise<void> {
  if (role !== "admin") await keepAnAdmin(tx, personId);
  await setOperator(tx, personId, role);
}

/** Returns the role before. Throws operator_person_not_found and last_admin. */
async function changeOperatorRole(tx: Tx, personId: string, role: OperatorRole): Promise<OperatorRole> {
  const before = await findOperatorRole(tx, personId);
  if (before === null) throw consoleProblem("operator_person_not_found");
  await giveOperatorRole(tx, personId, role);
  return before;
}

/** The person is signed out everywhere. Returns the role before; throws what a change of role does. */
async function removeOperator(tx: Tx, personId: string): Promise<OperatorRole> {
  await keepAnAdmin(tx, personId);
  const before = await deleteOperator(tx, personId);
  if (before === undefined) throw consoleProblem("operator_person_not_found");
  await endSessionsOf(tx, personId);
  return before;
}

async function keepAnAdmin(tx: Tx, personId: string): Promise<void> {
  const admins = await lockAdmins(tx);
  if (admins.length === 1 && admins[0] === personId) throw consoleProblem("last_admin");
}
