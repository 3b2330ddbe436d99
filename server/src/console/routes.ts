import { personRoute, type Route } from "../platform/http/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { readBelongings, readWaysIn } from "./console-store.ts";
import { joinRoutes } from "./join-routes.ts";
import { proveRoute } from "./prove.ts";
import { meData, presentMe } from "./schemas.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { type SignInDependencies, signInRoutes } from "./sign-in-routes.ts";
import { type TeamDependencies, teamRoutes } from "./team-routes.ts";

export type ConsoleDependencies = SignInDependencies & TeamDependencies;

export function consoleRoutes(deps: ConsoleDependencies): Route[] {
  const own = [meRoute(), ...signInRoutes(deps), proveRoute(deps), ...accountRoutes(deps), ...secondFactorRoutes(deps)];
  return [...own, ...teamRoutes(deps), ...joinRoutes(deps)];
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
