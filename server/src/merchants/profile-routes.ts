/** How a merchant says what its customers see of it, and where their browsers get the logo. */

import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type Database, readEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Nullable } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import type { Logo } from "./merchant.ts";
import { changeProfile, fingerprint, type MerchantProfile, readProfile } from "./profile.ts";
import { findLogoRow } from "./profile-store.ts";

const path = "/loans/bnpl/profile";

const profileBody = named(
  "CheckoutProfileChange",
  Type.Object(
    {
      display_name: Type.Optional(
        Nullable(
          Type.String({
            minLength: 1,
            maxLength: 60,
            // Something to read, and nothing that a page or a message could stumble over.
            pattern: "^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$",
            description: "The name that customers know; null for the merchant's own.",
            examples: ["Balogun Home"],
          }),
        ),
      ),
      logo: Type.Optional(
        Nullable(
          Type.String({
            maxLength: 100_000,
            description: "A PNG, JPEG or WebP picture of at most 64 KiB as data:image/png;base64,…; null removes it.",
            examples: ["data:image/png;base64,iVBORw0KGgo="],
          }),
        ),
      ),
    },
    { examples: [{ display_name: "Balogun Home" }] },
  ),
);

const profileData = named(
  "CheckoutProfile",
  Type.Object({
    display_name: Type.String({ examples: ["Balogun Home"] }),
    logo_url: Nullable(Type.String({ examples: ["https://api.example.com/merchant-logos/01930b6e/5f3a"] })),
  }),
);

export interface ProfileDependencies {
  readonly db: Database;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
}

export function profileRoutes({ publicUrl }: ProfileDependencies): Route[] {
  const present = ({ displayName, logoPath }: MerchantProfile) => ({
    data: { display_name: displayName, logo_url: logoPath === null ? null : `${publicUrl}${logoPath}` },
  });
  const common = { tag: "Checkout", path } as const;
  return [
    describeRoute("key", {
      ...common,
      method: "GET",
      operationId: "getCheckoutProfile",
      scope: "checkout:read",
      summary: "Read your profile",
      description: "The name and logo that customers see on the hosted pages of this environment.",
      reply: { status: 200, title: "Profile", message: "Profile retrieved", data: profileData },
      handle: ({ read }) => read(async (tx) => present(await readProfile(tx))),
    }),
    describeRoute("key", {
      ...common,
      method: "PATCH",
      operationId: "updateCheckoutProfile",
      scope: "checkout:write",
      summary: "Change your profile",
      description:
        "Sets the name and logo that customers see on the hosted pages and in messages. Fields that you leave out stay as they are. Each environment has its own profile, and resetting a sandbox deletes its profile.",
      body: profileBody,
      reply: { status: 200, title: "Profile", message: "Profile changed", data: profileData },
      handle: ({ body, write }) =>
        write(async (tx) => {
          const { display_name: displayName, logo } = body;
          const change = {
            ...(displayName === undefined ? {} : { displayName }),
            ...(logo === undefined ? {} : { logo }),
          };
          return present(await changeProfile(tx, change));
        }),
    }),
  ];
}

/** A picture and nothing else, whatever its bytes try to be. */
const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
} as const;

/** Open to everybody: the logo is on the shop's sign. The address holds the picture's fingerprint. */
export function registerLogos(app: FastifyInstance, db: Database): void {
  app.get<{ Params: { environmentId: string; fingerprint: string } }>(
    "/merchant-logos/:environmentId/:fingerprint",
    async (request, reply) => {
      const { environmentId, fingerprint: wanted } = request.params;
      const logo = isUuid(environmentId) ? await findLogo(db, environmentId) : undefined;
      if (logo === undefined || fingerprint(logo.bytes) !== wanted) throw commonProblem("not_found");
      return reply.headers(headers).type(logo.type).send(logo.bytes);
    },
  );
}

function findLogo(db: Database, environmentId: string): Promise<Logo | undefined> {
  return readEnvironment(db, environmentId, findLogoRow);
}
