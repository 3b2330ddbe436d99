/** What the link of an invitation leads to: somebody new joins, somebody who is here already accepts. */
import { hashPassword } from "better-auth/crypto";
import { Type } from "typebox";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { accept, join, lookAt } from "./change-team.ts";
import { originOfPerson } from "./person.ts";
import type { SignInDependencies } from "./sign-in-routes.ts";
import { joinBody, openInvitationData, presentOpen, tokenBody } from "./team-schemas.ts";

type JoinDependencies = Pick<SignInDependencies, "db" | "people">;

const joined = Type.Object({ merchantId: Type.String() });

export function joinRoutes(deps: JoinDependencies): Route[] {
  return [lookRoute(deps), joinRoute(deps), acceptRoute(deps)];
}

function lookRoute({ people }: JoinDependencies): Route {
  return describeRoute("visitor", {
    method: "POST",
    path: "/console/api/invitations/look",
    summary: "What a link invites to",
    description: "Reads an invitation without using it.",
    body: tokenBody,
    keepsNothing: true,
    reply: { status: 200, message: "An invitation.", data: openInvitationData },
    problems: ["invitation_invalid"],
    handle: async ({ body, address, read }) => {
      await people.slowDown({ address, email: undefined });
      return { data: presentOpen(await read((tx) => lookAt(tx, body.token))) };
    },
  });
}

function joinRoute({ db, people }: JoinDependencies): Route {
  return describeRoute("visitor", {
    method: "POST",
    path: "/console/api/invitations/join",
    summary: "Join a team as somebody new",
    description: "Makes the account that the invitation is for, and begins a session.",
    body: joinBody,
    keepsNothing: true,
    reply: {
      status: 201,
      message: "Welcome. You are signed in.",
      data: joined,
      headers: { "Set-Cookie": "The session." },
    },
    problems: ["invitation_invalid", "person_exists"],
    handle: async ({ body, address, requestId, headers }) => {
      await people.slowDown({ address, email: undefined });
      const hash = await hashPassword(body.newPassword);
      const { personId, merchantId } = await inEnvironment(db, operatorScope, async (tx) => {
        const made = await join(tx, body.token, { name: body.name.trim(), hash });
        await recordAudit(
          tx,
          { actor: made.email, address, requestId },
          {
            action: "team.join",
            subjectType: "person",
            subjectId: made.personId,
            detail: { merchantId: made.merchantId, role: made.role },
          },
        );
        return made;
      });
      const agent = headers["user-agent"];
      const cookie = await people.begin(personId, { address, userAgent: typeof agent === "string" ? agent : "" });
      return { data: { merchantId }, headers: { "set-cookie": cookie } };
    },
  });
}

function acceptRoute({ db }: JoinDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/invitations/accept",
    summary: "Accept an invitation",
    description: "For the person whose address it was sent to.",
    body: tokenBody,
    keepsNothing: true,
    withoutProof: true,
    reply: { status: 200, message: "You are on the team.", data: joined },
    problems: ["invitation_invalid", "invitation_for_other"],
    handle: async (request) => {
      const merchantId = await inEnvironment(db, operatorScope, async (tx) => {
        const accepted = await accept(tx, request.body.token, request.person);
        await recordAudit(tx, originOfPerson(request), {
          action: "team.join",
          subjectType: "person",
          subjectId: request.person.id,
          detail: { merchantId: accepted.merchantId, role: accepted.role },
        });
        return accepted.merchantId;
      });
      return { data: { merchantId } };
    },
  });
}
