/** The twin of Dojah, with a small register of people behind it. */
import { startTwin, type Twin } from "./twin.ts";
import type { TwinReply, TwinRequest } from "./twin-wire.ts";

export const dojahKeys = { appId: "app-of-the-twin", secretKey: "test_sk_of_the_twin" };

export interface RegisteredPerson {
  readonly bvn: string;
  readonly nin: string;
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  /** YYYY-MM-DD. */
  readonly born: string;
  /** As the register writes it; null where it keeps none. */
  readonly phone: string | null;
}

/** The BVN begins with a zero: a number that is read as one would lose it. */
export const ada: RegisteredPerson = {
  bvn: "02345678901",
  nin: "12345678901",
  first: "ADAOBI",
  middle: "GRACE",
  last: "O'KORO-EZE",
  born: "1990-05-16",
  phone: "08031234567",
};

export interface DojahTwin extends Twin {
  readonly people: RegisteredPerson[];
  /** How Dojah replies: with flags, or with the record; how sure it is; what its wallet holds. */
  readonly manner: { reply: "flags" | "record"; confidence: number; nin: "snake" | "run_together"; wallet: number };
}

const says = (status: number, error: string): TwinReply => ({ status, body: { error } });
const entity = (found: unknown): TwinReply => ({ status: 200, body: { entity: found } });

export async function startDojahTwin({ port = 0 }: { readonly port?: number } = {}): Promise<DojahTwin> {
  const people: RegisteredPerson[] = [ada];
  const manner: DojahTwin["manner"] = { reply: "flags", confidence: 100, nin: "snake", wallet: 5000.5 };
  const twin = await startTwin({
    port,
    refuse: ({ headers }) =>
      headers["appid"] === dojahKeys.appId && headers["authorization"] === dojahKeys.secretKey
        ? undefined
        : says(401, "Unauthorized"),
    nothingHere: says(404, "URL not recognised"),
    routes: [
      {
        "GET /api/v1/balance": () => entity({ wallet_balance: manner.wallet }),
        "GET /api/v1/kyc/bvn": (request) => {
          const bvn = request.query.get("bvn") ?? "";
          const found = people.find((one) => one.bvn === bvn);
          const refused = refuse(manner, "BVN", bvn, found);
          if (refused !== undefined || found === undefined) return refused ?? says(404, "BVN not found");
          return entity(manner.reply === "record" ? recordOf(found) : flagsOf(request, found, manner.confidence));
        },
        "GET /api/v1/kyc/bvn/full": ({ query }) => {
          const bvn = query.get("bvn") ?? "";
          const found = people.find((one) => one.bvn === bvn);
          const refused = refuse(manner, "BVN", bvn, found);
          return refused ?? (found === undefined ? says(404, "BVN not found") : entity(recordOf(found)));
        },
        "GET /api/v1/kyc/nin": ({ query }) => {
          const nin = query.get("nin") ?? "";
          const found = people.find((one) => one.nin === nin);
          const refused = refuse(manner, "NIN", nin, found);
          if (refused !== undefined || found === undefined) return refused ?? says(404, "NIN not found");
          return entity(manner.nin === "snake" ? recordOf(found) : runTogether(found));
        },
      },
    ],
  });
  return { ...twin, people, manner };
}

function refuse({ wallet }: DojahTwin["manner"], kind: string, number: string, found: unknown): TwinReply | undefined {
  if (wallet < 100) return says(402, "Insufficient wallet balance, please top up");
  if (!/^\d{11}$/.test(number)) return says(400, `Invalid ${kind}`);
  return found === undefined ? says(404, `${kind} not found`) : undefined;
}

const fold = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

function flagsOf({ query }: TwinRequest, { bvn, first, last, born }: RegisteredPerson, confidence: number) {
  const name = (asked: string | null, theirs: string) =>
    fold(asked ?? "") === fold(theirs)
      ? { confidence_value: confidence, status: true }
      : { confidence_value: 20, status: false };
  const dob = query.get("dob");
  return {
    bvn: { value: bvn, status: true },
    first_name: name(query.get("first_name"), first),
    last_name: name(query.get("last_name"), last),
    ...(dob === null ? {} : { date_of_birth: { status: dob === born } }),
  };
}

const personal = { image: "/9j/4AAQSkZJRg", residential_address: "5 Allen Avenue" };

function recordOf({ bvn, nin, first, middle, last, born, phone }: RegisteredPerson) {
  const names = { first_name: first, middle_name: middle, last_name: last };
  return { bvn, nin, ...names, date_of_birth: born, phone_number1: phone, phone_number2: "", ...personal };
}

function runTogether({ nin, first, middle, last, born }: RegisteredPerson) {
  const [year, month, day] = born.split("-");
  return {
    nin,
    firstname: first,
    middlename: middle,
    surname: last,
    birthdate: `${day}-${month}-${year}`,
    ...personal,
  };
}
