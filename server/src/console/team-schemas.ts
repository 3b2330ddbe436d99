import { type Static, type TObject, type TString, Type } from "typebox";
import { Email, Nullable, OneOf, PathId, Timestamp, Uuid } from "../platform/http/wire.ts";
import { merchantRoles } from "./roles.ts";
import { nameBody, passwordBody } from "./schemas.ts";
import type { Invitation, Member, OpenInvitation } from "./team.ts";

export const roleBody = Type.Object({ role: OneOf(merchantRoles) });
export const inviteBody = Type.Object({ email: Email, role: OneOf(merchantRoles) });

const Token = Type.String({ minLength: 1, maxLength: 200 });
export const tokenBody = Type.Object({ token: Token });
export const joinBody = Type.Object({
  token: Token,
  name: nameBody.properties.name,
  newPassword: passwordBody.properties.newPassword,
});

/** The merchant's id, and that of what is changed. */
export function memberParams<N extends string>(name: N) {
  return Type.Object({ id: PathId, [name]: PathId }) as unknown as TObject<{ id: TString } & Record<N, TString>>;
}

const memberData = Type.Object({
  personId: Uuid,
  email: Type.String(),
  name: Type.String(),
  role: OneOf(merchantRoles),
  since: Timestamp,
  twoFactorEnabled: Type.Boolean(),
  you: Type.Boolean(),
});

const invitationFields = {
  id: Uuid,
  email: Type.String(),
  role: OneOf(merchantRoles),
  expiresAt: Timestamp,
  invitedBy: Nullable(Type.String()),
};
const invitationData = Type.Object(invitationFields);

export const teamData = Type.Object({ members: Type.Array(memberData), invitations: Type.Array(invitationData) });
export const invitedData = Type.Object({ ...invitationFields, link: Type.String() });

export const openInvitationData = Type.Object({
  merchantId: Uuid,
  merchantName: Type.String(),
  email: Type.String(),
  role: OneOf(merchantRoles),
  hasAccount: Type.Boolean({ description: "Somebody has this address already, and must sign in to accept." }),
});

export function presentMember({ since, ...member }: Member, ownId: string): Static<typeof memberData> {
  return { ...member, since: since.toISOString(), you: member.personId === ownId };
}

export function presentInvitation(invitation: Invitation): Static<typeof invitationData> {
  const { id, email, role, expiresAt, invitedBy } = invitation;
  return { id, email, role, expiresAt: expiresAt.toISOString(), invitedBy };
}

export function presentOpen(invitation: OpenInvitation): Static<typeof openInvitationData> {
  const { merchantId, merchantName, email, role, personId } = invitation;
  return { merchantId, merchantName, email, role, hasAccount: personId !== null };
}
