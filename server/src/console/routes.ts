import { personRoute, type Route } from "../platform/http/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { readBelongings, readWaysIn } from "./console-store.ts";
import { joinRoutes } from "./join-routes.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { passkeySignInRoutes } from "./passkey-sign-in.ts";
import { proveRoute } from "./prove.ts";
import { meData, presentMe } from "./schemas.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { type SignInDependencies, signInRoutes } from "./sign-in-routes.ts";
import { type TeamDependencies, teamRoutes } from "./team-routes.ts";

export type ConsoleDependencies = SignInDependencies & TeamDependencies;

export function consoleRoutes(deps: ConsoleDependencies): Route[] {
  const comingIn = [...signInRoutes(deps), ...passkeySignInRoutes(deps), proveRoute(deps), ...joinRoutes(deps)];
  const own = [meRoute(), ...accountRoutes(deps), ...secondFactorRoutes(deps), ...passkeyRoutes(deps)];
  return [...comingIn, ...own, ...teamRoutes(deps)];
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
        presentMe(person, await readBelongings(tx, person.id), await readWaysIn(tx, person.id)),
      ),
    }),
  });
}
