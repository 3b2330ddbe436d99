import { checkAddress, checkBalance } from "../check-connection.ts";
import type { IdentityAnswer, IdentityQuestion, IdentityRail, PhoneFit } from "../identity.ts";
import type { ConnectionMode, ConnectionSettings, Provider } from "../provider.ts";
import { createProviderClient, type WireReply } from "../provider-client.ts";
import { classifyBalance, classifyBvn, classifyNin, classifyPhone } from "./classify.ts";

const hosts = { live: ["api.dojah.io"], test: ["sandbox.dojah.io"] } as const;

export const dojah: Provider = {
  name: "dojah",
  ports: ["identity"],
  credentials: [
    { name: "appId", secret: false, required: true, description: "The id of the app in Dojah's dashboard." },
    { name: "secretKey", secret: true, required: true, description: "The app's secret key, live or test by the mode." },
  ],
  defaultBaseUrl: "https://api.dojah.io",
  testBaseUrl: "https://sandbox.dojah.io",
  connect: (settings) => {
    const client = createDojahClient(settings);
    const readFloat = async () => classifyBalance(await client.readBalance());
    return {
      identity: createDojahIdentity(client, settings.mode),
      check: async () => [checkAddress(settings, hosts), checkBalance(await readFloat())],
      readFloat,
    };
  },
};

/** Identity through Dojah: the BVN with the name and birthday, then the NIN where one was given. */

/** Published for tests, so everybody knows them: in live they are nobody's. */
const publishedBvn = "22222222222";
const publishedNin = "70123456789";

const published: IdentityAnswer = { outcome: "mismatched", reason: "This number is published for tests." };

function createDojahIdentity(client: DojahClient, mode: ConnectionMode): IdentityRail {
  return {
    name: "dojah",
    verify: async (question) => {
      const { bvn, nin } = question;
      if (mode === "live" && (bvn === publishedBvn || nin === publishedNin)) return published;
      const answer = classifyBvn(await client.matchBvn(queryOf(question)), question);
      if (answer.outcome !== "matched") return answer;
      // Side by side: both fit into the time limit of the port.
      const [phone, byNin] = await Promise.all([
        answer.phone === "untold" ? askForPhone(client, question) : answer.phone,
        nin === null ? null : client.lookUpNin(nin).then((reply) => classifyNin(reply, { ...question, nin })),
      ]);
      return byNin === null || byNin.outcome === "matched" ? { outcome: "matched", phone } : byNin;
    },
  };
}

/** The match of name and birthday tells no phone; the record of the BVN does. Without it nothing is proved. */
async function askForPhone(client: DojahClient, question: IdentityQuestion): Promise<PhoneFit> {
  return classifyPhone(await client.lookUpBvn(question.bvn), question);
}

function queryOf({ bvn, firstName, lastName, dateOfBirth }: IdentityQuestion) {
  return { bvn, first_name: firstName, last_name: lastName, dob: dateOfBirth ?? undefined };
}

/** The calls of Dojah. Numbers of people stand in addresses here: an address is never logged. */
interface DojahClient {
  matchBvn(query: Readonly<Record<string, string | undefined>>): Promise<WireReply>;
  lookUpBvn(bvn: string): Promise<WireReply>;
  lookUpNin(nin: string): Promise<WireReply>;
  readBalance(): Promise<WireReply>;
}

/** Two questions fit into the time limit of the port. */
const timeoutMs = 7_000;

function createDojahClient({ baseUrl, credentials, onCall }: ConnectionSettings): DojahClient {
  const wire = createProviderClient({ baseUrl, timeoutMs, onCall });
  const { appId = "", secretKey = "" } = credentials;
  // The bare key, without "Bearer".
  const headers = { appid: appId, authorization: secretKey };
  const ask = (path: string, query: Readonly<Record<string, string | undefined>> = {}) =>
    wire.call({ method: "GET", path, query, headers });
  return {
    matchBvn: (query) => ask("/api/v1/kyc/bvn", query),
    lookUpBvn: (bvn) => ask("/api/v1/kyc/bvn/full", { bvn }),
    lookUpNin: (nin) => ask("/api/v1/kyc/nin", { nin }),
    readBalance: () => ask("/api/v1/balance"),
  };
}
