import { Type } from "typebox";
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import { personRoute, type Route, visitorRoute } from "../platform/http/route.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { readBelongings, readPassword, readProofWays } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import type { People } from "./people.ts";
import { originOfPerson } from "./person.ts";
import { proveRoute } from "./prove.ts";
import { linkBody, meData, passwordBody, presentMe } from "./schemas.ts";
import { takeSignInToken } from "./sign-in-link.ts";

export interface ConsoleDependencies {
  readonly db: Database;
  readonly people: People;
}

export function consoleRoutes(deps: ConsoleDependencies): Route[] {
  return [meRoute(), linkRoute(deps), passwordRoute(deps), proveRoute(deps)];
}

function meRoute(): Route {
  return personRoute({
    method: "GET",
    path: "/console/api/me",
    summary: "Who am I",
    description: "The person who is signed in, with the merchants they work for and their role in each.",
    reply: { status: 200, message: "You are signed in.", data: meData },
    handle: async ({ person, read }) => ({
      data: await read(async (tx) =>
        presentMe(person, await readBelongings(tx, person.id), await readProofWays(tx, person.id)),
      ),
    }),
  });
}

function linkRoute({ db, people }: ConsoleDependencies): Route {
  return visitorRoute({
    method: "POST",
    path: "/console/api/sign-in-link",
    summary: "Sign in by a link",
    description: "Begins a session with what a sign-in link holds. A link works once.",
    body: linkBody,
    keepsNothing: true,
    reply: {
      status: 200,
      message: "You are signed in.",
      data: Type.Object({ signedIn: Type.Literal(true) }),
      headers: { "Set-Cookie": "The session." },
    },
    problems: ["sign_in_link_invalid"],
    handle: async ({ body, address, headers }) => {
      const personId = await inEnvironment(db, operatorScope, (tx) => takeSignInToken(tx, body.token));
      const agent = headers["user-agent"];
      const cookie = await people.begin(personId, { address, userAgent: typeof agent === "string" ? agent : "" });
      return { data: { signedIn: true as const }, headers: { "set-cookie": cookie } };
    },
  });
}

/** A stolen session must not become a way in that stays: like every change to how a person comes in, it wants a proof. */
function passwordRoute({ db, people }: ConsoleDependencies): Route {
  return personRoute({
    method: "POST",
    path: "/console/api/password",
    summary: "Choose a first password",
    description: "For a person who came by a link. Within ten minutes of signing in; later sign in again.",
    body: passwordBody,
    keepsNothing: true,
    reply: { status: 200, message: "Password set.", data: Type.Object({ set: Type.Literal(true) }) },
    problems: ["password_exists"],
    handle: async (request) => {
      const { person, body, headers, read } = request;
      if ((await read((tx) => readPassword(tx, person.id))) !== undefined) throw consoleProblem("password_exists");
      await people.setPassword(String(headers["cookie"]), body.newPassword);
      await inEnvironment(db, operatorScope, (tx) =>
        recordAudit(tx, originOfPerson(request), {
          action: "person.set_password",
          subjectType: "person",
          subjectId: person.id,
        }),
      );
      return { data: { set: true as const } };
    },
  });
}
