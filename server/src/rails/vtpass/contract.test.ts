import { afterEach, describe, expect, test } from "vitest";
import { billerContract, wrongBillers } from "../../../testing/providers/biller-contract.ts";
import { brokenCases } from "../../../testing/providers/contract.ts";
import { connectVtpassTwin, planted } from "../../../testing/providers/vtpass-subject.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function open() {
  const subject = await connectVtpassTwin();
  opened.push(() => subject.twin.close());
  return subject;
}

describe("VTpass on its twin", () => {
  test.each(billerContract.map((one) => [one.name, one.run] as const))("%s", async (_, run) => run(await open()));

  test.each(Object.entries(wrongBillers))("a biller that takes %s breaks the contract", async (_, mistake) => {
    expect(await brokenCases(billerContract, async () => planted(await open(), mistake))).not.toEqual([]);
  });
});
