/** Identity through Dojah: the BVN with the name and birthday, then the NIN where one was given. */
import type { IdentityAnswer, IdentityQuestion, IdentityRail, PhoneFit } from "../identity.ts";
import type { ConnectionMode } from "../provider.ts";
import { classifyBvn, classifyNin, classifyPhone } from "./classify.ts";
import type { DojahClient } from "./client.ts";

/** Published for tests, so everybody knows them: in live they are nobody's. */
const publishedBvn = "22222222222";
const publishedNin = "70123456789";

const published: IdentityAnswer = { outcome: "mismatched", reason: "This number is published for tests." };

export function createDojahIdentity(client: DojahClient, mode: ConnectionMode): IdentityRail {
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
