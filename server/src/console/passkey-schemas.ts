import { type Static, Type } from "typebox";
import { Nullable, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { KeptPasskey } from "./passkey-store.ts";

const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });
const credential = { id: Bytes(1_400), rawId: Bytes(1_400), type: Type.Literal("public-key") } as const;

/** As a browser tells what a device has made. */
const Added = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: Bytes(4_000),
    attestationObject: Bytes(12_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20, pattern: "^[a-z-]+$" }), { maxItems: 10 })),
  }),
});

/** As a browser tells what a device has signed. */
export const Signed = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: Bytes(4_000),
    authenticatorData: Bytes(4_000),
    signature: Bytes(12_000),
    userHandle: Type.Optional(Bytes(100)),
  }),
});

export const addPasskeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Where it is: Ada's phone." }),
  passkey: Added,
});

export const passkeySignInBody = Type.Object({ passkey: Signed });

/** For the browser, which hands it to the device: the specification says what is in it. */
export const deviceOptions = Type.Object({
  options: Type.Unsafe<object>({ type: "object", additionalProperties: true }),
});

export const passkeyData = Type.Object({
  id: Uuid,
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
});

export function presentPasskey({ id, name, createdAt, lastUsedAt }: KeptPasskey): Static<typeof passkeyData> {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
