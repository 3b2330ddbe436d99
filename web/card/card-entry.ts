/**
 * What the customer types, and what can be said about it before it leaves the page. The vault judges for itself; this
 * only spares a customer the round trip for a slip of the finger.
 */
export interface CardEntry {
  /** As typed, with spaces. */
  readonly number: string;
  /** MM / YY. */
  readonly expiry: string;
  readonly cvv: string;
}

/** What the vault takes. */
export interface CardDetails {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cvv: string;
}

export type CardFieldName = keyof CardEntry;
export type CardComplaints = Partial<Readonly<Record<CardFieldName, string>>>;

export const emptyEntry: CardEntry = { number: "", expiry: "", cvv: "" };

const onlyDigits = (text: string) => text.replaceAll(/\D/g, "");

/** 4084 0840 8408 4081 */
export function groupNumber(text: string): string {
  const digits = onlyDigits(text).slice(0, 19);
  return digits.replaceAll(/(\d{4})(?=\d)/g, "$1 ");
}

/**
 * 12 / 29. Deleting must be able to take the slash away again, so it stands only between digits. A month may be typed
 * with one digit and a slash, and a pasted year may have four digits. What stands before the first digit does not
 * count: a slash there would hide a short month until the next key, and the text would jump.
 */
export function groupExpiry(text: string): string {
  const typed = text.replace(/^\D+/, "");
  const month = /^([2-9]|1\s*\/)/.test(typed) ? `0${typed}` : typed;
  const digits = onlyDigits(month.replace(/\/\s*20(\d\d)\s*$/, "/$1")).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

export function groupCvv(text: string): string {
  return onlyDigits(text).slice(0, 4);
}

/** Verve numbers begin like Mastercard's debit range, so it is asked first. */
export function brandOf(number: string): "Visa" | "Mastercard" | "Verve" | null {
  const digits = onlyDigits(number);
  if (/^(506[01]|507[89]|6500)/.test(digits)) return "Verve";
  if (/^4/.test(digits)) return "Visa";
  return /^(5[1-5]|2[2-7])/.test(digits) ? "Mastercard" : null;
}

/** `now` is the server's: a card expires by the clock of the environment. */
export function readCard(entry: CardEntry, now: string): CardDetails | CardComplaints {
  const number = onlyDigits(entry.number);
  const expiry = onlyDigits(entry.expiry);
  const expMonth = Number(expiry.slice(0, 2));
  const expYear = 2000 + Number(expiry.slice(2));
  const complaints = {
    ...complain("number", numberComplaint(number)),
    ...complain("expiry", expiryComplaint(expiry, { expMonth, expYear, now })),
    ...complain("cvv", /^\d{3,4}$/.test(entry.cvv) ? null : "Type the 3 digits on the back."),
  };
  return Object.keys(complaints).length > 0 ? complaints : { number, expMonth, expYear, cvv: entry.cvv };
}

function complain(field: CardFieldName, text: string | null): CardComplaints {
  return text === null ? {} : { [field]: text };
}

function numberComplaint(number: string): string | null {
  if (number === "") return "Type the card number.";
  if (number.length < 13 || !passesLuhn(number)) return "Check the card number. A digit seems to be wrong or missing.";
  return null;
}

function expiryComplaint(digits: string, date: { expMonth: number; expYear: number; now: string }): string | null {
  const { expMonth, expYear, now } = date;
  if (digits.length !== 4 || expMonth < 1 || expMonth > 12) return "Type month and year, such as 08 / 29.";
  const today = new Date(now);
  const past = expYear * 12 + expMonth < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1;
  return past ? "This card has expired. Use another one." : null;
}

/** Every second digit from the right counts double; a slip in one digit breaks the sum. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits !== "" && sum % 10 === 0;
}
