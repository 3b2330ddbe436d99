import { Type } from "typebox";
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import { personRoute, type Route, visitorRoute } from "../platform/http/route.ts";
import { hasPassword, readBelongings } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import type { People } from "./people.ts";
import { linkBody, meData, passwordBody, presentMe } from "./schemas.ts";
import { takeSignInToken } from "./sign-in-link.ts";

export interface ConsoleDependencies {
  readonly db: Database;
  readonly people: People;
}

export function consoleRoutes(deps: ConsoleDependencies): Route[] {
  return [meRoute(), linkRoute(deps), passwordRoute(deps)];
}

function meRoute(): Route {
  return personRoute({
    method: "GET",
    path: "/console/api/me",
    summary: "Who am I",
    description: "The person who is signed in, with the merchants they work for and their role in each.",
    reply: { status: 200, message: "You are signed in.", data: meData },
    handle: async ({ person, read }) => ({
      data: presentMe(person, await read((tx) => readBelongings(tx, person.id))),
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

const freshMs = 10 * 60_000;

/** A stolen session must not become a way in that stays: a first password wants a fresh sign-in. */
function passwordRoute({ people }: ConsoleDependencies): Route {
  return personRoute({
    method: "POST",
    path: "/console/api/password",
    summary: "Choose a first password",
    description: "For a person who came by a link. Within ten minutes of signing in; later sign in again.",
    body: passwordBody,
    keepsNothing: true,
    reply: { status: 200, message: "Password set.", data: Type.Object({ set: Type.Literal(true) }) },
    problems: ["sign_in_again", "password_exists"],
    handle: async ({ person, body, headers, read }) => {
      if (Date.now() - person.signedInAt.getTime() > freshMs) throw consoleProblem("sign_in_again");
      if (await read((tx) => hasPassword(tx, person.id))) throw consoleProblem("password_exists");
      await people.setPassword(String(headers["cookie"]), body.newPassword);
      return { data: { set: true as const } };
    },
  });
}
