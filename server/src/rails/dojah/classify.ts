/**
 * What the registers say, by way of Dojah. Matched only when every field that was asked about fits, by Dojah's word and
 * above our own floor of confidence. Mismatched only when a field does not fit, or when Dojah says that nobody has
 * the number. Everything else is unavailable: nobody is refused because a wallet was empty or a register was down.
 */

import { parseMobileNumber } from "../../platform/phone-number.ts";
import type { Hold, HoldReason } from "../answer.ts";
import type { IdentityAnswer, IdentityQuestion, PhoneFit } from "../identity.ts";
import { namesFit, readDate } from "../person-names.ts";
import type { Float } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { cleanWords } from "../provider-words.ts";
import { isRecord, nairaOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";

/** Out of 100. Dojah says true from a lower one on. */
const confidenceFloor = 80;

const reasons = {
  bvn: "Nobody is registered under this BVN.",
  nin: "Nobody is registered under this NIN.",
  name: "The name does not fit the one in the register.",
  dateOfBirth: "The date of birth does not fit the one in the register.",
} as const;

type Fits = "yes" | "no" | "untold";

const unavailable: IdentityAnswer = { outcome: "unavailable" };
const mismatched = (about: keyof typeof reasons): IdentityAnswer => ({ outcome: "mismatched", reason: reasons[about] });

/** The reply to a question about a BVN, a name and perhaps a birthday. */
export function classifyBvn(reply: WireReply, question: IdentityQuestion): IdentityAnswer {
  const entity = entityIn(reply);
  if (entity === undefined) return withoutEntity(reply, "bvn");
  const bvn = isRecord(entity["bvn"]) ? entity["bvn"] : undefined;
  // The path that the newest pages name returns the record itself, as the register of NINs does.
  if (bvn === undefined) return comparePerson(entity, "bvn", question.bvn, question);
  const told = textOf(bvn["value"]);
  if (told !== undefined && told.padStart(11, "0") !== question.bvn) return unavailable;
  if (bvn["status"] === false) return mismatched("bvn");
  const names = [confident(entity["first_name"]), confident(entity["last_name"])];
  const birthday = question.dateOfBirth === null ? "yes" : flagged(entity["date_of_birth"]);
  if (names.includes("no")) return mismatched("name");
  if (birthday === "no") return mismatched("dateOfBirth");
  const isWhole = bvn["status"] === true && names.every((fit) => fit === "yes") && birthday === "yes";
  return isWhole ? { outcome: "matched", phone: "untold" } : unavailable;
}

/** The reply to a look-up of a NIN. Photograph, address and the rest end here. */
export function classifyNin(reply: WireReply, question: IdentityQuestion & { readonly nin: string }): IdentityAnswer {
  const entity = entityIn(reply);
  return entity === undefined ? withoutEntity(reply, "nin") : comparePerson(entity, "nin", question.nin, question);
}

function comparePerson(
  entity: WireRecord,
  kind: "bvn" | "nin",
  number: string,
  question: IdentityQuestion,
): IdentityAnswer {
  const told = firstText(entity, [kind]);
  if (told !== undefined && told.padStart(11, "0") !== number) return unavailable;
  const first = firstText(entity, ["first_name", "firstname", "firstName"]);
  const last = firstText(entity, ["last_name", "lastname", "lastName", "surname"]);
  if (first === undefined || last === undefined) return unavailable;
  const middle = firstText(entity, ["middle_name", "middlename", "middleName"]) ?? "";
  if (!namesFit(question, { first, middle, last })) return mismatched("name");
  const matched = { outcome: "matched", phone: kind === "bvn" ? phoneIn(entity, question) : "untold" } as const;
  if (question.dateOfBirth === null) return matched;
  const born = readDate(firstText(entity, ["date_of_birth", "dateOfBirth", "birthdate", "birthDate", "dob"]) ?? "");
  if (born === undefined) return unavailable;
  return born === question.dateOfBirth ? matched : mismatched("dateOfBirth");
}

/** The reply to a look-up of a BVN, of which nothing but the phones is read. A reply about another number tells none. */
export function classifyPhone(reply: WireReply, question: IdentityQuestion): PhoneFit {
  const entity = entityIn(reply);
  if (entity === undefined) return "untold";
  const told = firstText(entity, ["bvn"]);
  return told === undefined || told.padStart(11, "0") === question.bvn ? phoneIn(entity, question) : "untold";
}

/** A person may have registered several. What cannot be read as a mobile number tells nothing. */
function phoneIn(entity: WireRecord, { phone }: IdentityQuestion): PhoneFit {
  const texts = ["phone_number", "phone_number1", "phone_number2", "phoneNumber1", "phoneNumber2"];
  const phones = texts.flatMap((name) => parseMobileNumber(mobileText(textOf(entity[name]) ?? "")) ?? []);
  if (phones.length === 0) return "untold";
  return phones.includes(phone) ? "fits" : "differs";
}

/** A number that was kept as one has lost its zero in front. */
function mobileText(text: string): string {
  return /^[789]\d{9}$/.test(text) ? `0${text}` : text;
}

function firstText(entity: WireRecord, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(entity[name])).find((text) => text !== undefined);
}

function flagged(field: unknown): Fits {
  const { status } = recordAt(field);
  if (typeof status !== "boolean") return "untold";
  return status ? "yes" : "no";
}

function confident(field: unknown): Fits {
  const fit = flagged(field);
  if (fit !== "yes") return fit;
  const confidence = Number(textOf(recordAt(field)["confidence_value"]));
  if (!Number.isFinite(confidence)) return "untold";
  return confidence >= confidenceFloor ? "yes" : "no";
}

function entityIn(reply: WireReply): WireRecord | undefined {
  if (reply.kind !== "answer" || reply.status !== 200 || !isRecord(reply.body)) return undefined;
  return isRecord(reply.body["entity"]) ? reply.body["entity"] : undefined;
}

const unknownNumber =
  /\b(bvn|nin)\b[\w ,:]*\b(not found|not exist|invalid|incorrect|unknown)\b|\b(invalid|unknown|incorrect|no such|wrong)\s+(bvn|nin)\b/i;
const somethingElse = /service|plan|permission|wallet|subscription|unavailable|provider|try again/i;

function withoutEntity(reply: WireReply, kind: "bvn" | "nin"): IdentityAnswer {
  if (reply.kind !== "answer") return unavailable;
  const { status, body } = reply;
  const hold = holdOf(status, body);
  if (hold !== undefined) return { outcome: "unavailable", hold };
  const words = wordsIn(body);
  const isAboutNumber = unknownNumber.test(words) && !somethingElse.test(words);
  return (status === 400 || status === 404) && isAboutNumber ? mismatched(kind) : unavailable;
}

const holds: ReadonlyMap<number, HoldReason> = new Map<number, HoldReason>([
  [401, "keys_refused"],
  [402, "float_empty"],
  [403, "not_enabled"],
]);

function holdOf(status: number, body: unknown): Hold | undefined {
  const reason = holds.get(status);
  return reason && { reason, message: wordsIn(body) || `Dojah replied with status ${status}` };
}

function wordsIn(body: unknown): string {
  const { error, message } = recordAt(body);
  return cleanWords(textOf(error) ?? textOf(message) ?? "");
}

export function classifyBalance(reply: WireReply): Float | Hold | null {
  if (reply.kind !== "answer") return null;
  if (reply.status !== 200) return holdOf(reply.status, reply.body) ?? null;
  const available = nairaOf(textOf(recordAt(reply.body, "entity")["wallet_balance"])?.replace(/(\.\d{2})\d+$/, "$1"));
  return available === undefined ? null : { available };
}
