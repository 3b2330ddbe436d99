/** What an operator typed in to connect a provider: kept sealed, shown to nobody. */
import { operatorScope } from "../../platform/database/database.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { sealedContext } from "../../platform/secrets/reseal.ts";
import type { Port, Provider } from "../provider.ts";
import { sealedCredentials } from "./connection-store.ts";

export type Credentials = Readonly<Record<string, string>>;

export function sealCredentials(sealer: Sealer, connectionId: string, credentials: Credentials): Buffer {
  return sealer.seal(JSON.stringify(credentials), contextOf(connectionId));
}

export function openCredentials(sealer: Sealer, connectionId: string, sealed: Buffer): Credentials {
  return JSON.parse(sealer.open(sealed, contextOf(connectionId)).toString("utf8")) as Credentials;
}

function contextOf(connectionId: string): string {
  return sealedContext(sealedCredentials, operatorScope, connectionId);
}

/** The ports for which nothing is missing. */
export function portsWith({ ports, credentials: fields }: Provider, given: Credentials): readonly Port[] {
  const missing = fields.filter(({ name }) => given[name] === undefined);
  return ports.filter((port) => !missing.some(({ neededFor }) => neededFor?.includes(port)));
}

/**
 * Exactly the provider's fields, each a text without blanks around it, and all that these ports need. Throws
 * validation_failed.
 */
export function readCredentials(
  { name, credentials: fields }: Provider,
  given: Credentials,
  ports: readonly Port[],
): Credentials {
  const errors: FieldError[] = [];
  for (const field of fields) {
    const value = given[field.name];
    if (value === undefined && field.required) {
      errors.push({ field: `credentials.${field.name}`, message: `is required for ${name}: ${field.description}` });
    } else if (value === undefined && field.neededFor?.some((port) => ports.includes(port))) {
      const needing = field.neededFor.join(", ");
      errors.push({ field: `credentials.${field.name}`, message: `is required for ${needing}: ${field.description}` });
    } else if (value !== undefined && value.trim() !== value) {
      errors.push({ field: `credentials.${field.name}`, message: "must not begin or end with a blank" });
    }
  }
  for (const unknown of Object.keys(given).filter((key) => !fields.some((field) => field.name === key))) {
    errors.push({ field: `credentials.${unknown}`, message: `is no credential of ${name}` });
  }
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  return given;
}
