/**
 * Signing in with a passkey, and nothing else: the device knows whose it is. What it signs is bound to the browser that
 * asked, by a cookie, so that nobody can be made to sign in another's browser.
 */
import { randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { parseCookies } from "better-auth/cookies";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { describeRoute, type Route, type RouteRequest } from "../platform/http/route.ts";
import { recordAudit } from "../platform/records/audit.ts";
import { notSignedIn } from "./errors.ts";
import { challengeLifeMs, hashOf, siteOf } from "./passkey.ts";
import { deviceOptions, passkeySignInBody } from "./passkey-schemas.ts";
import { findPasskey } from "./passkey-store.ts";
import { beginSession, type SignInDependencies, signedInReply } from "./sign-in-routes.ts";
import { askToSign, takeSigned } from "./use-passkeys.ts";

export function passkeySignInRoutes(deps: SignInDependencies): Route[] {
  return [beginRoute(deps), signInRoute(deps)];
}

function beginRoute({ db, people, publicUrl }: SignInDependencies): Route {
  return describeRoute("visitor", {
    method: "POST",
    path: "/console/api/sign-in-passkey/begin",
    summary: "Begin to sign in with a passkey",
    description: "Returns what the browser hands to the device. It counts for three minutes, in this browser, once.",
    keepsNothing: true,
    reply: {
      status: 200,
      message: "Ask the device.",
      data: deviceOptions,
      headers: { "Set-Cookie": "The browser that asked." },
    },
    handle: async ({ address }) => {
      await people.slowDown({ address, email: undefined });
      const browser = randomBytes(32).toString("base64url");
      const asked = { purpose: "sign_in", browserHash: hashOf(browser) } as const;
      const options = await inEnvironment(db, operatorScope, (tx) => askToSign(tx, siteOf(publicUrl), asked));
      return { data: { options }, headers: { "set-cookie": browserCookie(publicUrl, browser) } };
    },
  });
}

function signInRoute(deps: SignInDependencies): Route {
  const { db, people, publicUrl } = deps;
  return describeRoute("visitor", {
    method: "POST",
    path: "/console/api/sign-in-passkey",
    summary: "Sign in with a passkey",
    description: "Begins a session with what the device signed. No password and no code is needed.",
    body: passkeySignInBody,
    keepsNothing: true,
    reply: signedInReply,
    problems: ["passkey_wrong"],
    handle: async (request) => {
      const { address, requestId, read } = request;
      const response = { ...request.body.passkey, clientExtensionResults: {} } as AuthenticationResponseJSON;
      const passkey = await read((tx) => findPasskey(tx, Buffer.from(response.id, "base64url")));
      await people.slowDown({ address, email: passkey?.email });
      const browser = browserOf(publicUrl, request);
      if (passkey === undefined || browser === undefined || !isOwners(passkey.personId, response)) {
        throw notSignedIn("passkey_wrong");
      }
      const asked = { purpose: "sign_in", browserHash: hashOf(browser) } as const;
      const { personId, email, name } = passkey;
      const isRight = await takeSigned(db, siteOf(publicUrl), { passkey, response, asked }, (tx) =>
        recordAudit(
          tx,
          { actor: email, address, requestId },
          {
            action: "person.sign_in",
            subjectType: "person",
            subjectId: personId,
            detail: { by: "passkey", passkey: name },
          },
        ),
      );
      if (!isRight) throw notSignedIn("passkey_wrong");
      return beginSession(people, request, personId);
    },
  });
}

/** A device that is found without an address names its owner, who must be the one that we know for it. */
function isOwners(personId: string, { response }: AuthenticationResponseJSON): boolean {
  return Buffer.from(response.userHandle ?? "", "base64url").toString() === personId;
}

const cookieName = (publicUrl: string) => (isSecure(publicUrl) ? "__Host-jara.passkey" : "jara.passkey");
const isSecure = (publicUrl: string) => publicUrl.startsWith("https:");

function browserCookie(publicUrl: string, value: string): string {
  const end = `Path=/; Max-Age=${challengeLifeMs / 1000}; HttpOnly; SameSite=Strict`;
  return `${cookieName(publicUrl)}=${value}; ${end}${isSecure(publicUrl) ? "; Secure" : ""}`;
}

type Asking = Pick<RouteRequest<"visitor">, "headers">;

function browserOf(publicUrl: string, { headers }: Asking): string | undefined {
  const { cookie } = headers;
  return typeof cookie === "string" ? parseCookies(cookie).get(cookieName(publicUrl)) : undefined;
}
