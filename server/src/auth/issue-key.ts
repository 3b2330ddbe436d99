import { uuidv7 } from "uuidv7";
import { findEnvironment } from "../merchants/find-environment.ts";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../platform/database/database.ts";
import { everyScope } from "../platform/http/caller.ts";
import { parseBlock } from "../platform/http/guard/address-blocks.ts";
import { commonProblem, type FieldError } from "../platform/problem.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import { takePositions } from "../platform/records/pagination.ts";
import type { ApiKey, IssuedKey } from "./api-key.ts";
import { insertKey } from "./key-store.ts";
import { hashSecretKey, makeSecretKey, shownPrefix } from "./secret-key.ts";

export const keyList = "api_keys";

export interface IssueKey {
  readonly environmentId: string;
  readonly name: string;
  /** Everything, unless limited. */
  readonly scopes?: readonly string[];
  /** From everywhere, unless limited. */
  readonly allowedAddresses?: readonly string[];
  readonly expiresAt?: Date | null;
  readonly origin: Origin;
}

/** Issues a key within limits that were checked. The answer holds the secret, which nobody can see again. */
export async function issueKey(tx: Tx, command: IssueKey): Promise<IssuedKey> {
  const environment = await findEnvironment(tx, command.environmentId);
  const { name, scopes = [everyScope], allowedAddresses = [], expiresAt = null } = command;
  const limits = { name, scopes: [...new Set(scopes)], allowedAddresses: [...new Set(allowedAddresses)], expiresAt };
  const issued = await visitEnvironment(tx, environment.id, (inside) => writeKey(inside, environment.kind, limits));
  await recordAudit(tx, command.origin, {
    action: "key.issue",
    subjectType: "key",
    subjectId: issued.id,
    environmentId: environment.id,
    detail: { ...limits, prefix: issued.prefix, expiresAt: expiresAt?.toISOString() ?? null },
  });
  return issued;
}

export type KeyLimits = Pick<ApiKey, "name" | "scopes" | "allowedAddresses" | "expiresAt">;

/** Makes and stores a key of the environment that the transaction is in. */
export async function writeKey(tx: Tx, kind: EnvironmentKind, limits: KeyLimits): Promise<IssuedKey> {
  const secret = makeSecretKey(kind);
  const key: ApiKey = {
    ...limits,
    id: uuidv7(),
    environmentId: tx.environment.id,
    prefix: shownPrefix(secret),
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
    createdAt: new Date(),
  };
  await insertKey(tx, key, hashSecretKey(secret), await takePositions(tx, keyList, 1));
  return { ...key, key: secret };
}

export function refuseBadLimits(known: readonly string[], fields: Readonly<Record<string, unknown>>): void {
  const errors = keyLimitErrors(known, fields);
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
}

/** What is wrong with fields of the right type; what has another type is left to the schema. */
export function keyLimitErrors(
  known: readonly string[],
  { scopes, allowedAddresses, expiresAt }: Readonly<Record<string, unknown>>,
): FieldError[] {
  const end = typeof expiresAt === "string" ? new Date(expiresAt) : expiresAt;
  return [
    ...entryErrors("scopes", scopes, (scope) => known.includes(scope), `must be one of ${known.join(", ")}`),
    ...entryErrors(
      "allowedAddresses",
      allowedAddresses,
      (entry) => parseBlock(entry) !== undefined,
      "must be an IP address or a block such as 203.0.113.0/24",
    ),
    // An invalid date, such as a leap second, compares false: it is refused as well.
    ...(end instanceof Date && !(end > new Date()) ? [{ field: "expiresAt", message: "must be in the future" }] : []),
  ];
}

function entryErrors(name: string, list: unknown, isGood: (entry: string) => boolean, message: string): FieldError[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.flatMap((entry, index) =>
    typeof entry !== "string" || isGood(entry) ? [] : [{ field: `${name}[${index}]`, message }],
  );
}
