/** What an operator writes here is read by anybody, so secrets, numbers of people and merchants' names stay out of it. */
import { findNamedMerchant } from "../merchants/find-named-merchant.ts";
import type { Tx } from "../platform/database/database.ts";
import { commonProblem, type FieldError } from "../platform/problem.ts";
import { redactText } from "../platform/redact.ts";

/** An account, a telephone, a BVN, a card. */
const longNumber = /\d(?:[ -]?\d){9,}/;

export async function refuseTellingWords(tx: Tx, fields: Readonly<Record<string, string>>): Promise<void> {
  const errors: FieldError[] = [];
  for (const [field, text] of Object.entries(fields)) {
    if (redactText(text) !== text || longNumber.test(text)) {
      errors.push({ field, message: "must have no secret and no number of a person: anybody reads it" });
    }
    const merchant = await findNamedMerchant(tx, text);
    if (merchant !== undefined) {
      errors.push({ field, message: `must not name a merchant (${merchant}): anybody reads it` });
    }
  }
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
}
