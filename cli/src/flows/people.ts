/** People who do not exist. The same word and number are always the same person. */
import { createHash } from "node:crypto";

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  readonly bvn: string;
  readonly nin: string;
  /** Ten digits, at the bank `bankCode`. */
  readonly accountNumber: string;
  readonly bankCode: string;
}

const firstNames = (
  "Adaeze Bola Chidi Damilola Emeka Fatima Gbenga Halima Ifeoma Jide Kemi Lanre Musa Ngozi Obinna Patience Rasheed " +
  "Sade Tunde Uche Yusuf Zainab Amaka Bashir Chiamaka Efe Folake Garba Ibrahim Kelechi"
).split(" ");
const lastNames = (
  "Okafor Adeyemi Balogun Bello Danjuma Eze Fashola Gumel Ibekwe Idris Lawal Madu Nwosu Ogunleye Okoro Onyeka " +
  "Oyelaran Sani Tijani Udo Umar Williams Yakubu Akande Bassey Chukwu Duru Etim"
).split(" ");
const phonePrefixes = [
  "803",
  "806",
  "813",
  "816",
  "703",
  "706",
  "805",
  "807",
  "815",
  "902",
  "808",
  "812",
  "809",
  "818",
];
const banks = ["058", "044", "057", "011", "033"];

/** A person whom the identity register or the bureau refuses has a BVN that ends in 0000. */
export function personOf(seed: string, number = 0, isKnown = true): Person {
  const digest = createHash("sha256").update(`${seed}/${number}`).digest();
  const digits = BigInt(`0x${digest.toString("hex")}`)
    .toString()
    .slice(0, 60);
  const pick = (names: readonly string[], at: number): string => names[digest.readUInt16BE(at) % names.length] ?? "";
  const [firstName, lastName] = [pick(firstNames, 0), pick(lastNames, 2)];
  return {
    firstName,
    lastName,
    phone: `+234${pick(phonePrefixes, 4)}${digits.slice(0, 7)}`,
    email: `${firstName}.${lastName}.${digits.slice(0, 5)}@example.com`.toLowerCase(),
    bvn: `22${digits.slice(7, 12)}${isKnown ? `${digits.slice(12, 15)}1` : "0000"}`,
    nin: `3${digits.slice(15, 25)}`,
    accountNumber: `0${digits.slice(25, 34)}`,
    bankCode: pick(banks, 6),
  };
}
