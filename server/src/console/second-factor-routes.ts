/** Turning the authenticator app on and off. Both end the person's other sessions. */
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { ended } from "./account-routes.ts";
import { endOtherSessions } from "./account-store.ts";
import { otpAddress } from "./authenticator.ts";
import { consoleProblem } from "./errors.ts";
import { writeDownPerson } from "./person.ts";
import { authenticatorData, codeBody, recoveryData } from "./schemas.ts";
import { hasAuthenticator, renewRecoveryCodes, startAuthenticator, turnOnAuthenticator } from "./second-factor.ts";
import { deleteAuthenticator } from "./second-factor-store.ts";
import type { SignInDependencies } from "./sign-in-routes.ts";

type SecondFactorDependencies = Pick<SignInDependencies, "db" | "sealer">;

export function secondFactorRoutes(deps: SecondFactorDependencies): Route[] {
  return [startRoute(deps), turnOnRoute(deps), turnOffRoute(deps), recoveryRoute(deps)];
}

function startRoute({ db, sealer }: SecondFactorDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/authenticator",
    summary: "Begin with an authenticator app",
    description: "Returns what the app scans. It counts once a code of it was confirmed.",
    keepsNothing: true,
    reply: { status: 200, message: "Scan it, then confirm a code.", data: authenticatorData },
    problems: ["authenticator_exists"],
    handle: async ({ person }) => {
      const secret = await inEnvironment(db, operatorScope, (tx) => startAuthenticator(tx, sealer, person.id));
      return { data: { secret, address: otpAddress(secret, person.email) } };
    },
  });
}

function turnOnRoute({ db, sealer }: SecondFactorDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/authenticator/confirm",
    summary: "Turn the authenticator app on",
    description: "From now on signing in needs a code. Returns ten recovery codes, which are not shown again.",
    body: codeBody,
    keepsNothing: true,
    reply: { status: 200, message: "On. Keep the recovery codes: they are not shown again.", data: recoveryData },
    problems: ["authenticator_exists", "authenticator_not_found", "code_wrong"],
    handle: async (request) => {
      const { person, body } = request;
      const recoveryCodes = await inEnvironment(db, operatorScope, async (tx) => {
        const codes = await turnOnAuthenticator(tx, sealer, person.id, body.code);
        await endOtherSessions(tx, person.id, person.sessionId);
        await writeDownPerson(tx, request, "person.authenticator_on");
        return codes;
      });
      return { data: { recoveryCodes } };
    },
  });
}

function turnOffRoute({ db }: SecondFactorDependencies): Route {
  return describeRoute("person", {
    method: "DELETE",
    path: "/console/api/authenticator",
    summary: "Turn the authenticator app off",
    description: "Its recovery codes end with it, and so do your other sessions.",
    reply: { status: 200, message: "Off. Your other sessions have ended.", data: ended },
    problems: ["authenticator_not_found"],
    handle: async (request) => {
      const { person } = request;
      const endedSessions = await inEnvironment(db, operatorScope, async (tx) => {
        if (!(await deleteAuthenticator(tx, person.id))) throw consoleProblem("authenticator_not_found");
        await writeDownPerson(tx, request, "person.authenticator_off");
        return endOtherSessions(tx, person.id, person.sessionId);
      });
      return { data: { endedSessions } };
    },
  });
}

function recoveryRoute({ db }: SecondFactorDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/recovery-codes",
    summary: "Make new recovery codes",
    description: "Those from before end.",
    keepsNothing: true,
    reply: { status: 200, message: "Keep the recovery codes: they are not shown again.", data: recoveryData },
    problems: ["authenticator_not_found"],
    handle: async (request) => {
      const { person } = request;
      const recoveryCodes = await inEnvironment(db, operatorScope, async (tx) => {
        if (!(await hasAuthenticator(tx, person.id))) throw consoleProblem("authenticator_not_found");
        await writeDownPerson(tx, request, "person.recovery_codes");
        return renewRecoveryCodes(tx, person.id);
      });
      return { data: { recoveryCodes } };
    },
  });
}
