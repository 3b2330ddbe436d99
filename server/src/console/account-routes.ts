/** A person's own account: name, password, sessions. A change to how they come in ends their other sessions. */
import { hashPassword } from "better-auth/crypto";
import { Type } from "typebox";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { endOtherSessions, endSession, keepPassword, listSessions, renamePerson } from "./account-store.ts";
import { readPassword } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import { isPassword } from "./passwords.ts";
import { writeDownPerson } from "./person.ts";
import { nameBody, passwordBody, presentSession, sessionData } from "./schemas.ts";
import type { SignInDependencies } from "./sign-in-routes.ts";

type AccountDependencies = Pick<SignInDependencies, "db" | "people">;

export const ended = Type.Object({ endedSessions: Type.Integer() });

export function accountRoutes(deps: AccountDependencies): Route[] {
  return [nameRoute(deps), passwordRoute(deps), sessionsRoute(), endSessionRoute(deps), endOthersRoute(deps)];
}

function nameRoute({ db }: AccountDependencies): Route {
  return describeRoute("person", {
    method: "PATCH",
    path: "/console/api/me",
    summary: "Change your name",
    description: "As colleagues see it. The audit trail names people by their e-mail address.",
    body: nameBody,
    withoutProof: true,
    reply: { status: 200, message: "Name changed.", data: nameBody },
    handle: async (request) => {
      const name = request.body.name.trim();
      await inEnvironment(db, operatorScope, async (tx) => {
        await renamePerson(tx, request.person.id, name);
        await writeDownPerson(tx, request, "person.rename");
      });
      return { data: { name } };
    },
  });
}

/** A stolen session must not become a way in that stays: it wants a proof, and the password that there is. */
function passwordRoute({ db, people }: AccountDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/password",
    summary: "Choose a password",
    description: "A first one, or another in place of the one in `password`. Ends your other sessions.",
    body: passwordBody,
    keepsNothing: true,
    reply: { status: 200, message: "Password set. Your other sessions have ended.", data: ended },
    problems: ["proof_wrong"],
    handle: async (request) => {
      const { person, body, address } = request;
      const known = await request.read((tx) => readPassword(tx, person.id));
      if (known !== undefined) {
        await people.slowDown({ address, email: person.email });
        if (!(await isPassword(known, body.password ?? ""))) throw consoleProblem("proof_wrong");
      }
      const hash = await hashPassword(body.newPassword);
      const endedSessions = await inEnvironment(db, operatorScope, async (tx) => {
        await keepPassword(tx, person.id, hash);
        await writeDownPerson(tx, request, "person.set_password");
        return endOtherSessions(tx, person.id, person.sessionId);
      });
      return { data: { endedSessions } };
    },
  });
}

function sessionsRoute(): Route {
  return describeRoute("person", {
    method: "GET",
    path: "/console/api/sessions",
    summary: "Where you are signed in",
    description: "The newest hundred sessions of yours that have not ended.",
    reply: { status: 200, message: "Your sessions.", data: Type.Array(sessionData) },
    handle: async ({ person, read }) => {
      const sessions = await read((tx) => listSessions(tx, person.id));
      return { data: sessions.map((session) => presentSession(session, person.sessionId)) };
    },
  });
}

function endSessionRoute({ db }: AccountDependencies): Route {
  return describeRoute("person", {
    method: "DELETE",
    path: "/console/api/sessions/{id}",
    summary: "End a session",
    description: "Its next request is refused.",
    params: IdParams,
    withoutProof: true,
    reply: { status: 200, message: "Session ended.", data: ended },
    problems: ["session_not_found"],
    handle: async (request) => {
      await inEnvironment(db, operatorScope, async (tx) => {
        if (!(await endSession(tx, request.person.id, request.params.id))) throw consoleProblem("session_not_found");
        await writeDownPerson(tx, request, "person.end_session");
      });
      return { data: { endedSessions: 1 } };
    },
  });
}

function endOthersRoute({ db }: AccountDependencies): Route {
  return describeRoute("person", {
    method: "DELETE",
    path: "/console/api/sessions",
    summary: "Sign out everywhere else",
    description: "Ends all your sessions but this one.",
    withoutProof: true,
    reply: { status: 200, message: "Your other sessions have ended.", data: ended },
    handle: async (request) => {
      const { person } = request;
      const endedSessions = await inEnvironment(db, operatorScope, async (tx) => {
        await writeDownPerson(tx, request, "person.end_sessions");
        return endOtherSessions(tx, person.id, person.sessionId);
      });
      return { data: { endedSessions } };
    },
  });
}
