/** An order that moves money: sent once, followed to its end, and never left without a word about how to find it. */
import { JaraConnectionError } from "@jara/sdk";
import { CliError, hasNotLeft } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { isBad } from "../words.ts";
import { newReference } from "./read-list.ts";

interface Ordered {
  readonly id: string;
  readonly status: string;
}

interface Order<Made extends Ordered> {
  /** `transfers`: jara transfers show finds it again. */
  readonly group: "transfers" | "bills";
  /** For a reference, where the caller has none. */
  readonly kind: string;
  readonly reference: string | undefined;
  send(reference: string): Promise<Made>;
  /** Undefined where the acceptance is all that is waited for. */
  readonly waitUntilFinal: ((id: string) => Promise<Made>) | undefined;
  show(made: Made): void;
}

export async function placeOrder<Made extends Ordered>(given: Given, order: Order<Made>): Promise<void> {
  const { group, kind, reference = newReference(kind), send, waitUntilFinal, show } = order;
  const find = `jara ${group} show ${reference}`;
  const accepted = await send(reference).catch((error: unknown) => {
    throw lost(given, error, find);
  });
  if (waitUntilFinal === undefined) return show(accepted);
  const final = await waitUntilFinal(accepted.id).catch((error: unknown) => {
    show(accepted);
    given.screen.remark(`It was accepted, and is on its way. How it ends: ${find}`);
    throw given.stopped.aborted ? error : new CliError(exitCodes.late, "Its end did not come in time.");
  });
  show(final);
  if (isBad(final.status)) process.exitCode = exitCodes.failed;
}

/** The reference was perhaps never shown: without it, trying again would pay a second time. */
function lost({ screen, stopped }: Given, error: unknown, find: string): unknown {
  const isUnknown = stopped.aborted || (error instanceof JaraConnectionError && !hasNotLeft(error));
  if (!isUnknown) return error;
  const words = `It may have happened. Look before you try again: ${find}`;
  if (!stopped.aborted) return new CliError(exitCodes.unknown, `The reply was lost. ${words}`);
  screen.remark(words);
  return error;
}
