/** A person's own passkeys. Adding and removing one wants a proof; a removed one takes the other sessions with it. */
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { Type } from "typebox";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { ended } from "./account-routes.ts";
import { endOtherSessions } from "./account-store.ts";
import { consoleProblem } from "./errors.ts";
import { siteOf } from "./passkey.ts";
import { addPasskeyBody, deviceOptions, passkeyData, presentPasskey } from "./passkey-schemas.ts";
import { deletePasskey, listPasskeys } from "./passkey-store.ts";
import { writeDownPerson } from "./person.ts";
import type { SignInDependencies } from "./sign-in-routes.ts";
import { addPasskey, askToAdd, askToSign } from "./use-passkeys.ts";

type PasskeyDependencies = Pick<SignInDependencies, "db" | "publicUrl">;

export function passkeyRoutes(deps: PasskeyDependencies): Route[] {
  return [listRoute(), beginRoute(deps), addRoute(deps), removeRoute(deps), beginProofRoute(deps)];
}

function listRoute(): Route {
  return describeRoute("person", {
    method: "GET",
    path: "/console/api/passkeys",
    summary: "Your passkeys",
    description: "Oldest first.",
    reply: { status: 200, message: "Your passkeys.", data: Type.Array(passkeyData) },
    handle: async ({ person, read }) => ({
      data: (await read((tx) => listPasskeys(tx, person.id))).map(presentPasskey),
    }),
  });
}

function beginRoute({ db, publicUrl }: PasskeyDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/passkeys/begin",
    summary: "Begin with a passkey",
    description: "Returns what the browser hands to the device. It counts for three minutes, in this session, once.",
    keepsNothing: true,
    reply: { status: 200, message: "Ask the device.", data: deviceOptions },
    problems: ["passkeys_full"],
    handle: async ({ person }) => {
      const site = siteOf(publicUrl);
      return { data: { options: await inEnvironment(db, operatorScope, (tx) => askToAdd(tx, site, person)) } };
    },
  });
}

function addRoute({ db, publicUrl }: PasskeyDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/passkeys",
    summary: "Add a passkey",
    description: "With what the device returned. From now on it signs you in, and proves that it is you.",
    body: addPasskeyBody,
    keepsNothing: true,
    reply: { status: 201, message: "Passkey added.", data: passkeyData },
    problems: ["passkey_not_added", "passkey_exists", "passkeys_full"],
    handle: async (request) => {
      const { person, body } = request;
      const name = body.name.trim();
      const response = { ...body.passkey, clientExtensionResults: {} } as RegistrationResponseJSON;
      const kept = await addPasskey(db, siteOf(publicUrl), { person, name, response }, (tx) =>
        writeDownPerson(tx, request, "person.passkey_add", { name }),
      );
      return { data: presentPasskey(kept) };
    },
  });
}

function removeRoute({ db }: PasskeyDependencies): Route {
  return describeRoute("person", {
    method: "DELETE",
    path: "/console/api/passkeys/{id}",
    summary: "Remove a passkey",
    description: "It opens nothing any more. Your other sessions end: one of them may be on the device that you lost.",
    params: IdParams,
    reply: { status: 200, message: "Passkey removed. Your other sessions have ended.", data: ended },
    problems: ["passkey_not_found"],
    handle: async (request) => {
      const { person, params } = request;
      const endedSessions = await inEnvironment(db, operatorScope, async (tx) => {
        const name = await deletePasskey(tx, person.id, params.id);
        if (name === undefined) throw consoleProblem("passkey_not_found");
        await writeDownPerson(tx, request, "person.passkey_remove", { name });
        return endOtherSessions(tx, person.id, person.sessionId);
      });
      return { data: { endedSessions } };
    },
  });
}

function beginProofRoute({ db, publicUrl }: PasskeyDependencies): Route {
  return describeRoute("person", {
    method: "POST",
    path: "/console/api/prove/passkey",
    summary: "Begin to prove it with a passkey",
    description: "Returns what the browser hands to the device; send what it signs to POST /console/api/prove.",
    keepsNothing: true,
    withoutProof: true,
    reply: { status: 200, message: "Ask the device.", data: deviceOptions },
    handle: async ({ person }) => {
      const asked = { purpose: "prove", sessionId: person.sessionId } as const;
      const options = await inEnvironment(db, operatorScope, (tx) =>
        askToSign(tx, siteOf(publicUrl), asked, person.id),
      );
      return { data: { options } };
    },
  });
}
