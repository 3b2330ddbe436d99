import { type Static, Type } from "typebox";
import type { Person } from "../platform/http/caller.ts";
import { named } from "../platform/http/named-schema.ts";
import { Email, EnvironmentWord, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { Belongings } from "./person.ts";
import { isProven, type ProofWay, proofWays, provenUntil } from "./proof.ts";
import { merchantRoles, operatorRoles } from "./roles.ts";
import { longestPassword, shortestPassword } from "./sign-in.ts";

export const linkBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

/** Long, and nothing else: rules about signs make passwords that people write down. */
export const passwordBody = Type.Object({
  newPassword: Type.String({ minLength: shortestPassword, maxLength: longestPassword }),
});

export const proofBody = Type.Object({ password: Type.String({ minLength: 1, maxLength: longestPassword }) });

export const proofData = Type.Object({ provenUntil: Timestamp });

export const newPersonBody = named(
  "NewPerson",
  Type.Object(
    {
      email: Email,
      name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "As colleagues know them." }),
      merchantId: Type.Optional(Uuid),
      role: Type.Optional(OneOf(merchantRoles, { description: "At the merchant; comes together with merchantId." })),
      operatorRole: Type.Optional(OneOf(operatorRoles, { description: "Among the people who run the service." })),
    },
    {
      examples: [
        {
          email: "ada@mamaput.example",
          name: "Ada Obi",
          merchantId: "01932c5e-7a10-7f2b-8c4d-1e2f3a4b5c6d",
          role: "owner",
        },
      ],
    },
  ),
);

export const newPersonData = named(
  "LetInPerson",
  Type.Object({
    id: Uuid,
    email: Type.String({ examples: ["ada@mamaput.example"] }),
    signInLink: Type.String({
      description: "Signs the person in once, within twelve hours.",
      examples: ["https://pay.example.com/console/sign-in?token=c2lnbi1pbi1saW5r"],
    }),
  }),
);

export const meData = Type.Object({
  user: Type.Object({ id: Uuid, email: Type.String(), name: Type.String(), twoFactorEnabled: Type.Boolean() }),
  merchants: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      role: OneOf(merchantRoles),
      environments: Type.Array(Type.Object({ id: Uuid, kind: EnvironmentWord, name: Type.String() })),
    }),
  ),
  operator: Type.Union([Type.Object({ role: OneOf(operatorRoles) }), Type.Null()]),
  signedInAt: Timestamp,
  stepUpUntil: Nullable(Timestamp),
  proofWays: Type.Array(OneOf(proofWays)),
});

export function presentMe(
  person: Person,
  { memberships, operatorRole }: Belongings,
  ways: readonly ProofWay[],
): Static<typeof meData> {
  const { id, email, name, signedInAt } = person;
  return {
    user: { id, email, name, twoFactorEnabled: false },
    merchants: memberships.map(({ merchantId, merchantName, role, environments }) => ({
      id: merchantId,
      name: merchantName,
      role,
      environments: [...environments],
    })),
    operator: operatorRole === null ? null : { role: operatorRole },
    signedInAt: signedInAt.toISOString(),
    stepUpUntil: isProven(person) ? provenUntil(person).toISOString() : null,
    proofWays: [...ways],
  };
}
