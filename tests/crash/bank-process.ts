/**
 * Paystack's twin in a process of its own. It outlives every kill of ours and misbehaves all the while: replies are
 * lost, cut, late, doubled or untrue, requests arrive later than they were sent, payments stay open, fail or are taken
 * back, and webhooks come early, twice and again until somebody takes them, as Paystack's do.
 */
import { setTimeout as pause } from "node:timers/promises";
import { startPaystackTwin } from "../../server/testing/providers/paystack-twin.ts";
import {
  type TransferWord,
  type TwinTransfer,
  wholeTransfer,
} from "../../server/testing/providers/paystack-twin-books.ts";
import type { Fault } from "../../server/testing/providers/twin-faults.ts";
import { heldRequests, untrueReplies, wireFaults } from "../../server/testing/providers/twin-mischief.ts";
import { sendReply, type TwinRequest } from "../../server/testing/providers/twin-wire.ts";
import type { BankBooks, BankCommand, BankMessage, Doors } from "./bank.ts";
import { createRandom } from "./random.ts";

/** More, and the connection would often be passed over for a minute: it would look as if nobody were there. */
const share = 0.2;
const lookEveryMs = 50;
const hookAgainMs = 200;
const float = 1_000_000_000_00;

const seed = Number(process.argv[2]);
const random = createRandom(seed);
const twin = await startPaystackTwin(0, { float });
const held = heldRequests(random.next);
let doors: Doors | undefined;
let isResting = false;
/** What the approval URL decided about the transfer that is taken next. */
let decided: TransferWord | undefined;
const hooksUnderWay = new Set<Promise<void>>();

const firstWords = ["success", "success", "success", "success", "pending", "pending", "received", "failed"] as const;
Object.defineProperty(twin.bank, "outcome", { get: () => decided ?? random.pick(firstWords) });

/** Tells the other side until it takes it, sometimes twice. The event is what Paystack would say, or too early. */
function tell({ reference }: TwinTransfer, event: string): void {
  for (let times = random.pick([1, 1, 2]); times > 0; times -= 1) {
    const telling = deliver(reference, event).finally(() => hooksUnderWay.delete(telling));
    hooksUnderWay.add(telling);
  }
}

async function deliver(reference: string, event: string): Promise<void> {
  for (;;) {
    const transfer = twin.bank.transfers.get(reference);
    const url = doors?.hookUrl ?? "";
    const data = transfer === undefined ? { reference } : wholeTransfer(twin.account, transfer);
    const status = await twin.sendHook(url, event, data).catch(() => 0);
    if (status === 200) return;
    await pause(hookAgainMs);
  }
}

/** The webhook overtakes the reply. */
const earlyHook: Fault = {
  name: "early hook",
  strike: async ({ request, response, handle }) => {
    const answer = await handle();
    await Promise.race([deliver(String(request.body.reference), "transfer.success"), pause(1_000)]);
    sendReply(response, answer);
  },
};

/** Paystack asks whether the payment is ours: no stops it, silence too. */
const askedFirst: Fault = {
  name: "asked first",
  strike: async ({ request, response, handle }) => {
    const isNew = !twin.bank.transfers.has(String(request.body.reference));
    const word = isNew ? await approvalOf(request) : undefined;
    decided = word;
    const answer = await handle();
    decided = undefined;
    sendReply(response, answer);
  },
};

async function approvalOf({ body }: TwinRequest): Promise<TransferWord | undefined> {
  const recipient = twin.bank.recipients.get(String(body.recipient));
  const details = { account_number: recipient?.accountNumber };
  const transfer = { reference: body.reference, amount: body.amount, recipient: { details } };
  const status = await twin.sendHook(doors?.approvalUrl ?? "", "transfer", transfer).catch(() => 0);
  if (status === 200) return undefined;
  return status === 400 ? "rejected" : "blocked";
}

const everywhere: readonly (Fault | (typeof wireFaults)[number])[] = [
  ...wireFaults,
  "late",
  ...untrueReplies("data"),
  held.fault,
];
/** The connection is made while all goes well. */
function misbehave(): void {
  twin.misbehave({ share, seed: seed + 1, faults: everywhere });
  const ofTransfers = [...everywhere, ...Array(6).fill(earlyHook), ...Array(6).fill(askedFirst)];
  twin.misbehave({ share: share * 2, seed: seed + 2, faults: ofTransfers }, "POST /transfer");
}

const open: readonly TransferWord[] = ["pending", "received"];
const seen = new Set<string>();

function settle(transfer: TwinTransfer, word: TransferWord): void {
  twin.bank.settle(transfer.reference, word);
  tell(transfer, `transfer.${word}`);
}

/** A payment is told of when it is new; some time later it is decided, or taken back. */
async function live(transfer: TwinTransfer): Promise<void> {
  tell(transfer, open.includes(transfer.status) ? "transfer.success" : `transfer.${transfer.status}`);
  await pause(random.between(100, 2_000));
  if (open.includes(transfer.status)) settle(transfer, random.pick(["success", "success", "success", "failed"]));
  if (transfer.status !== "success" || random.between(1, 10) > 1) return;
  await pause(random.between(100, 2_000));
  settle(transfer, "reversed");
}

const lives: Promise<void>[] = [];
const looking = setInterval(() => {
  if (random.between(1, 10) === 1) void held.releaseAll();
  for (const transfer of twin.bank.transfers.values()) {
    if (doors === undefined || seen.has(transfer.reference)) continue;
    seen.add(transfer.reference);
    lives.push(live(transfer));
  }
}, lookEveryMs);

/** From here on everything goes well, and what is open is decided. */
async function rest(): Promise<void> {
  twin.behave();
  await held.releaseAll();
  isResting = true;
  await untilQuiet();
}

async function untilQuiet(): Promise<void> {
  // A look finds what was taken since the one before.
  await pause(lookEveryMs * 2);
  const known = lives.length;
  await Promise.all(lives);
  await Promise.all(hooksUnderWay);
  if (lives.length > known || hooksUnderWay.size > 0) await untilQuiet();
}

function books(): BankBooks {
  const { account, bank, calls } = twin;
  const moved = Map.groupBy(account.ledger, ({ row }) => row);
  const sent = calls.filter(({ route }) => route === "POST /transfer").map(({ request: { body } }) => body);
  return {
    spent: float - account.balance(),
    transfers: [...bank.transfers.values()].map(({ id, reference, amount, fee, status, reason }) => ({
      reference,
      order: reason,
      amount,
      fee,
      status,
      moved: (moved.get(id) ?? []).reduce((sum, { difference }) => sum + difference, 0),
    })),
    sent: sent.map(({ reference, reason }) => ({ reference: String(reference), order: String(reason) })),
    faults: Object.fromEntries(
      [...Map.groupBy(calls, ({ fault }) => fault ?? "none")].map(([fault, struck]) => [fault, struck.length]),
    ),
  };
}

const say = (message: BankMessage): unknown => process.send?.(message);

process.on("message", async (command: BankCommand) => {
  if (command.is === "doors") {
    doors = command.doors;
    misbehave();
  }
  if (command.is === "rest") await rest();
  if (command.is === "quiet") await untilQuiet();
  say({ is: "done", books: books() });
});
process.once("disconnect", async () => {
  clearInterval(looking);
  await twin.close();
  process.exit(isResting ? 0 : 1);
});
say({ is: "ready", url: twin.url });
