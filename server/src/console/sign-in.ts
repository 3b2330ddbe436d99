/**
 * better-auth, told to live in our house: our tables under our names, our pool, our ids, our way to refuse other sites.
 * It knows cookies and sessions, and how passwords are hashed. It knows nothing of merchants and roles.
 */
import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { uuidv7 } from "uuidv7";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";

export interface SignInOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly publicUrl: string;
  readonly secret: string;
}

export type SignIn = ReturnType<typeof createSignIn>;

export const signInPath = "/console/api/auth";
/** By which the edge tells the library where a request comes from: it has already looked at proxies. */
export const addressHeader = "x-jara-address";

const daySeconds = 24 * 3_600;

export function createSignIn({ db, log, publicUrl, secret }: SignInOptions) {
  const isSecure = publicUrl.startsWith("https:");
  return betterAuth({
    appName: "Jara",
    baseURL: publicUrl,
    basePath: signInPath,
    secret,
    database: { db, type: "postgres", transaction: true },
    // A session is asked for in the database every time, so that a revoked one ends at once. It has one end, which
    // using it does not move.
    session: {
      ...sessionTable,
      expiresIn: 7 * daySeconds,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    user: personTable,
    account: credentialTable,
    verification: verificationTable,
    plugins: [signInByLink],
    // Counted by us (guard-sign-in.ts), by account and address together.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      database: { generateId: () => uuidv7(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // Our own door asks every change for our origin; see door.ts.
      disableCSRFCheck: true,
      // The library knows the prefix __Secure- only; __Host- binds a cookie to this very host.
      useSecureCookies: false,
      cookiePrefix: isSecure ? "__Host-jara" : "jara",
      defaultCookieAttributes: { httpOnly: true, sameSite: "strict", path: "/", secure: isSecure },
    },
    logger: { level: "error", log: (_, message) => log.error({ library: "better-auth" }, message) },
  });
}

/** What the library wants to know of a body that only we send. */
const begun = {
  "~standard": {
    version: 1,
    vendor: "jara",
    validate: (value: unknown) => ({ value: value as Begin }),
    types: undefined as unknown as { readonly input: Begin; readonly output: Begin },
  },
} as const;

interface Begin {
  readonly personId: string;
}

/** Begins a session of a person who was recognised by other means. Only we can call it: no path leads to it. */
const signInByLink = {
  id: "jara-sign-in-by-link",
  endpoints: {
    beginSession: createAuthEndpoint(
      "/jara/begin-session",
      { method: "POST", body: begun, metadata: { SERVER_ONLY: true } },
      async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.personId);
        const session = user && (await ctx.context.internalAdapter.createSession(user.id));
        if (!session || !user) throw new Error("a session could not begin");
        await setSessionCookie(ctx, { session, user }, false);
        return { begun: true };
      },
    ),
  },
} as const;

const times = { createdAt: "created_at", updatedAt: "updated_at" } as const;

const personTable = {
  modelName: "people",
  fields: { emailVerified: "email_verified", ...times },
} as const;

const sessionTable = {
  modelName: "person_sessions",
  fields: {
    userId: "person_id",
    ipAddress: "ip_address",
    userAgent: "user_agent",
    expiresAt: "expires_at",
    ...times,
  },
  additionalFields: { provenAt: { type: "date", fieldName: "proven_at", required: false, input: false } },
} as const;

const credentialTable = {
  modelName: "person_credentials",
  fields: {
    userId: "person_id",
    providerId: "provider_id",
    accountId: "account_id",
    accessToken: "access_token",
    refreshToken: "refresh_token",
    idToken: "id_token",
    accessTokenExpiresAt: "access_token_expires_at",
    refreshTokenExpiresAt: "refresh_token_expires_at",
    ...times,
  },
} as const;

const verificationTable = {
  modelName: "person_verifications",
  fields: { expiresAt: "expires_at", ...times },
} as const;
