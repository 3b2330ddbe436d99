/** A merchant's team at the console: its people, its invitations, and who may change them. */
import { type Database, inEnvironment, operatorScope, type Tx } from "../platform/database/database.ts";
import { describeRoute, type Route, type RouteRequest } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { invite, setRole } from "./change-team.ts";
import { consoleProblem } from "./errors.ts";
import { originOfPerson } from "./person.ts";
import type { MerchantRole } from "./roles.ts";
import { doneData } from "./schemas.ts";
import {
  inviteBody,
  invitedData,
  memberParams,
  presentInvitation,
  presentMember,
  roleBody,
  teamData,
} from "./team-schemas.ts";
import { findMemberRole, listInvitations, listMembers, withdrawInvitation } from "./team-store.ts";

export interface TeamDependencies {
  readonly db: Database;
  readonly publicUrl: string;
}

const data = { done: true } as const;

export function teamRoutes(deps: TeamDependencies): Route[] {
  return [listRoute(), inviteRoute(deps), withdrawRoute(deps), roleRoute(deps), removeRoute(deps)];
}

type Asking = Pick<RouteRequest<"person", { readonly id: string }, unknown, unknown>, "person" | "params">;

/** A stranger does not learn whether the merchant exists. */
async function roleHere(tx: Tx, { person, params }: Asking): Promise<MerchantRole> {
  const role = await findMemberRole(tx, params.id, person.id);
  if (role === undefined) throw consoleProblem("team_not_found");
  return role;
}

async function requireOwner(tx: Tx, request: Asking): Promise<void> {
  const role = await roleHere(tx, request);
  if (role !== "owner") throw consoleProblem("role_missing", { data: { role } });
}

type Acting = Asking & Pick<RouteRequest<"person">, "address" | "requestId">;

interface Deed {
  readonly action: string;
  readonly subjectType: "person" | "invitation";
  readonly subjectId: string;
  readonly detail?: Readonly<Record<string, string>>;
}

/** What an owner does to the team, in one transaction with its line in the trail. */
function asOwner<T>(db: Database, request: Acting, work: (tx: Tx) => Promise<{ deed: Deed; result: T }>): Promise<T> {
  return inEnvironment(db, operatorScope, async (tx) => {
    await requireOwner(tx, request);
    const { deed, result } = await work(tx);
    const detail = { merchantId: request.params.id, ...deed.detail };
    await recordAudit(tx, originOfPerson(request), { ...deed, detail });
    return result;
  });
}

function listRoute(): Route {
  return describeRoute("person", {
    method: "GET",
    path: "/console/api/merchants/{id}/team",
    summary: "The team of a merchant",
    description: "Its people with their roles, and the invitations that are open.",
    params: IdParams,
    reply: { status: 200, message: "The team.", data: teamData },
    problems: ["team_not_found"],
    handle: async (request) => {
      const { person, params, read } = request;
      return read(async (tx) => {
        await roleHere(tx, request);
        const members = (await listMembers(tx, params.id)).map((member) => presentMember(member, person.id));
        return { data: { members, invitations: (await listInvitations(tx, params.id)).map(presentInvitation) } };
      });
    },
  });
}

function inviteRoute({ db, publicUrl }: TeamDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/merchants/{id}/invitations",
    summary: "Ask somebody to join",
    description: "Returns a link that works once, within seven days. Another invitation of the same address ends it.",
    params: IdParams,
    body: inviteBody,
    keepsNothing: true,
    reply: { status: 201, message: "Hand the link over now: it is not shown again.", data: invitedData },
    problems: ["team_not_found", "role_missing", "member_exists"],
    handle: async (request) => {
      const { email, role } = request.body;
      const command = { merchantId: request.params.id, email, role, invitedBy: request.person.id };
      const made = await asOwner(db, request, async (tx) => {
        const invited = await invite(tx, command);
        const detail = { email: invited.email, role };
        const deed = { action: "team.invite", subjectType: "invitation", subjectId: invited.id, detail } as const;
        return { deed, result: invited };
      });
      const link = `${publicUrl}/console/join?token=${made.token}`;
      return { data: { ...presentInvitation({ ...made, invitedBy: request.person.email }), link } };
    },
  });
}

function withdrawRoute({ db }: TeamDependencies): Route {
  return describeRoute("person", {
    method: "DELETE",
    path: "/console/api/merchants/{id}/invitations/{invitationId}",
    summary: "Withdraw an invitation",
    description: "Its link opens nothing any more.",
    params: memberParams("invitationId"),
    withoutProof: true,
    reply: { status: 200, message: "Invitation withdrawn.", data: doneData },
    problems: ["team_not_found", "role_missing", "invitation_not_found"],
    handle: async (request) => {
      const { id, invitationId } = request.params;
      await asOwner(db, request, async (tx) => {
        if (!(await withdrawInvitation(tx, id, invitationId))) throw consoleProblem("invitation_not_found");
        const deed = { action: "team.withdraw", subjectType: "invitation", subjectId: invitationId } as const;
        return { deed, result: undefined };
      });
      return { data };
    },
  });
}

function roleRoute({ db }: TeamDependencies): Route {
  return describeRoute("person", {
    method: "PATCH",
    path: "/console/api/merchants/{id}/team/{personId}",
    summary: "Change a role",
    description: "Counts from the person's next request on.",
    params: memberParams("personId"),
    body: roleBody,
    reply: { status: 200, message: "Role changed.", data: doneData },
    problems: ["team_not_found", "role_missing", "person_not_found", "last_owner"],
    handle: async (request) => {
      const { id, personId } = request.params;
      const { role } = request.body;
      await asOwner(db, request, async (tx) => {
        const before = await setRole(tx, id, personId, role);
        const detail = { before, role };
        return { deed: { action: "team.role", subjectType: "person", subjectId: personId, detail }, result: undefined };
      });
      return { data };
    },
  });
}

function removeRoute({ db }: TeamDependencies): Route {
  return describeRoute("person", {
    method: "DELETE",
    path: "/console/api/merchants/{id}/team/{personId}",
    summary: "Take a person off the team",
    description: "The person's next request at this merchant is refused, and invitations by them end.",
    params: memberParams("personId"),
    reply: { status: 200, message: "Person removed.", data: doneData },
    problems: ["team_not_found", "role_missing", "person_not_found", "last_owner"],
    handle: async (request) => {
      const { id, personId } = request.params;
      await asOwner(db, request, async (tx) => {
        const before = await setRole(tx, id, personId, undefined);
        const deed = { action: "team.remove", subjectType: "person", subjectId: personId, detail: { before } } as const;
        return { deed, result: undefined };
      });
      return { data };
    },
  });
}
