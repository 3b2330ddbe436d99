import { type Static, Type } from "typebox";
import type { Person } from "../platform/http/caller.ts";
import { named } from "../platform/http/named-schema.ts";
import { Email, EnvironmentWord, ExactlyOneOf, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { KeptSession } from "./account-store.ts";
import { Signed } from "./passkey-schemas.ts";
import type { Belongings, WaysIn } from "./person.ts";
import { isProven, proofWays, proofWaysOf, provenUntil } from "./proof.ts";
import { merchantRoles, operatorRoles } from "./roles.ts";

const shortestPassword = 12;
const longestPassword = 256;

const Password = Type.String({ minLength: 1, maxLength: longestPassword });
/** Six digits of an app, or a recovery code with its dashes. */
const Code = Type.String({ minLength: 6, maxLength: 40 });
const PersonName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "As colleagues know them.",
});

export const signInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Password,
  code: Type.Optional(Code),
});

export const linkBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  code: Type.Optional(Code),
});

export const nameBody = Type.Object({ name: PersonName });

/** Long, and nothing else: rules about signs make passwords that people write down. */
export const passwordBody = Type.Object({
  newPassword: Type.String({ minLength: shortestPassword, maxLength: longestPassword }),
  password: Type.Optional(Password),
});

export const codeBody = Type.Object({ code: Code });

export const authenticatorData = Type.Object({
  secret: Type.String(),
  address: Type.String({ description: "What a QR code of it holds." }),
});

export const recoveryData = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

export const sessionData = Type.Object({
  id: Uuid,
  address: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  signedInAt: Timestamp,
  expiresAt: Timestamp,
  current: Type.Boolean({ description: "The one that asks." }),
});

export function presentSession(session: KeptSession, currentId: string): Static<typeof sessionData> {
  const { id, address, userAgent, signedInAt, expiresAt } = session;
  const times = { signedInAt: signedInAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { id, address, userAgent, ...times, current: id === currentId };
}

export const proofBody = ExactlyOneOf(
  Type.Object({ password: Type.Optional(Password), code: Type.Optional(Code), passkey: Type.Optional(Signed) }),
  ["password", "code", "passkey"],
);

export const proofData = Type.Object({ provenUntil: Timestamp });

export const newPersonBody = named(
  "NewPerson",
  Type.Object(
    {
      email: Email,
      name: PersonName,
      merchantId: Type.Optional(Uuid),
      role: Type.Optional(OneOf(merchantRoles, { description: "At the merchant; comes together with merchantId." })),
      operatorRole: Type.Optional(OneOf(operatorRoles, { description: "Among the people who run the service." })),
      authenticatorLost: Type.Optional(
        Type.Boolean({
          description: "Turns the person's authenticator app off, for one who has lost it and the recovery codes.",
        }),
      ),
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

export const doneData = Type.Object({ done: Type.Literal(true) });

export const operatorRoleBody = named(
  "OperatorRoleChange",
  Type.Object({ operatorRole: OneOf(operatorRoles, { description: "What the person may do from now on." }) }),
);

export const operatorPersonData = named(
  "OperatorPerson",
  Type.Object({
    id: Uuid,
    email: Type.String({ examples: ["ada@pay.example.com"] }),
    name: Type.String({ examples: ["Ada Obi"] }),
    operatorRole: OneOf(operatorRoles),
    twoFactorEnabled: Type.Boolean({ description: "Whether signing in takes a code of an app as well." }),
    since: Timestamp,
    lastSeenAt: Nullable(Timestamp),
  }),
);

export const meData = Type.Object({
  user: Type.Object({
    id: Uuid,
    email: Type.String(),
    name: Type.String(),
    hasPassword: Type.Boolean(),
    twoFactorEnabled: Type.Boolean(),
    recoveryCodesLeft: Type.Integer(),
    hasPasskey: Type.Boolean(),
  }),
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
  ways: WaysIn,
): Static<typeof meData> {
  const { id, email, name, signedInAt } = person;
  return {
    user: { id, email, name, ...ways },
    merchants: memberships.map(({ merchantId, merchantName, role, environments }) => ({
      id: merchantId,
      name: merchantName,
      role,
      environments: [...environments],
    })),
    operator: operatorRole === null ? null : { role: operatorRole },
    signedInAt: signedInAt.toISOString(),
    stepUpUntil: isProven(person) ? provenUntil(person).toISOString() : null,
    proofWays: [...proofWaysOf(ways)],
  };
}
