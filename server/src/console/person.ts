/**
 * A person at the console: an e-mail address, a name, and ways to prove it (a password, a link that works once). People
 * are the operator's data: one person may work for several merchants, with a role in each, and for the operator.
 *
 * A session is a person at one browser. It ends when its time is over, when the person signs out, or when it is revoked
 * from another session; it is looked up on every request, so it ends at once.
 */
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import type { RouteRequest } from "../platform/http/route.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import type { MerchantRole, OperatorRole } from "./roles.ts";

export interface Membership {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: MerchantRole;
  readonly environments: readonly {
    readonly id: string;
    readonly kind: EnvironmentKind;
    readonly name: string;
  }[];
}

/** What a person is in one environment. */
export interface Place {
  readonly merchantId: string;
  readonly kind: EnvironmentKind;
  readonly role: MerchantRole;
}

export interface Belongings {
  readonly memberships: readonly Membership[];
  readonly operatorRole: OperatorRole | null;
}

/** Somebody who is to be let in: to a merchant, to the operator's people, or to both. */
export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly merchantId?: string;
  readonly role?: MerchantRole;
  readonly operatorRole?: OperatorRole;
}

/** The ways in that a person has besides links. */
export interface WaysIn {
  readonly hasPassword: boolean;
  /** An authenticator app is on. */
  readonly twoFactorEnabled: boolean;
  readonly recoveryCodesLeft: number;
  readonly hasPasskey: boolean;
}

/** As the audit trail names what a person does to people. */
export function originOfPerson({ person, address, requestId }: Asking): Origin {
  return { actor: person.email, address, requestId };
}

/** Writes down what a person changes about themselves. */
export function writeDownPerson(
  tx: Tx,
  request: Asking,
  action: string,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const subject = { subjectType: "person", subjectId: request.person.id } as const;
  return recordAudit(tx, originOfPerson(request), { action, ...subject, detail });
}

type Asking = Pick<RouteRequest<"person">, "person" | "address" | "requestId">;

/** One of those who run the service. */
export interface OperatorPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly twoFactorEnabled: boolean;
  readonly since: Date;
  /** Null for one who has no session. */
  readonly lastSeenAt: Date | null;
}
