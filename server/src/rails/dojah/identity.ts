/** Identity through Dojah: the BVN with the name and birthday, then the NIN where one was given. */
import type { IdentityAnswer, IdentityQuestion, IdentityRail } from "../identity.ts";
import type { ConnectionMode } from "../provider.ts";
import { classifyBvn, classifyNin } from "./classify.ts";
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
      if (answer.outcome !== "matched" || nin === null) return answer;
      return classifyNin(await client.lookUpNin(nin), { ...question, nin });
    },
  };
}

function queryOf({ bvn, firstName, lastName, dateOfBirth }: IdentityQuestion) {
  return { bvn, first_name: firstName, last_name: lastName, dob: dateOfBirth ?? undefined };
}
