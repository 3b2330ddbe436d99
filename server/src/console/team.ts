/**
 * Who works for a merchant. Owners ask people to join with a role, change roles and remove people; a removed person's
 * next request at the merchant is refused. A merchant always has an owner.
 *
 *   invited ──accept──▶ member ──remove──▶ gone        invited ──withdraw, seven days, another invitation──▶ void
 *
 * An invitation is a link, which the inviter hands over. So it proves nothing about the person who opens it: the
 * inviter could. A person who joins by it is known at this merchant only, under an address and a name that are the
 * merchant's own word. Another merchant that invites the same address gets another account, with its own password.
 *
 * An operator who lets an address in confirms it. From then on it is one person at every merchant, who must be signed
 * in to accept an invitation. What the person who joined that merchant had set up ends (`vouchFor` in the store).
 * Accounts at other merchants stay apart.
 */
import type { MerchantRole } from "./roles.ts";

export interface Member {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: MerchantRole;
  readonly since: Date;
  readonly twoFactorEnabled: boolean;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly expiresAt: Date;
  /** Null when that person is gone. */
  readonly invitedBy: string | null;
}

export interface OpenInvitation {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly email: string;
  readonly role: MerchantRole;
  /** The person whose confirmed address it is, or who joined this merchant under it before. */
  readonly personId: string | null;
}
