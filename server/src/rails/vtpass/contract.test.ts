import { afterEach } from "vitest";
import { billerContract, wrongBillers } from "../../../testing/providers/biller-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { connectVtpassTwin } from "../../../testing/providers/vtpass-subject.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

keepContract("billers: VTpass on its twin", billerContract, wrongBillers, async () => {
  const subject = await connectVtpassTwin();
  opened.push(() => subject.twin.close());
  return subject;
});
