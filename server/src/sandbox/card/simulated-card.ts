/**
 * The card rail of sandboxes, and the vault that its card page sends numbers to. It keeps its own books and plays every
 * outcome that a merchant must be able to see, each asked for by the card's number. It recognises what comes twice: one
 * link id is one attempt, one charge id takes money once, one refund id gives it back once.
 *
 *   vault's token ──▶ declined
 *          └────────▶ linked ──▶ unlinked
 */
import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { type Database, timeIn } from "../../platform/database/database.ts";
import type {
  CardChargeAnswer,
  CardChargeOrder,
  CardLinkAnswer,
  CardLinkOrder,
  CardQueryAnswer,
  CardQuestion,
  CardRail,
  CardRefundAnswer,
} from "../../rails/card.ts";
import { bankPageMail } from "../magic-inputs.ts";
import { type BankPage, bankPagePath } from "./bank-page.ts";
import { type DeclineCode, declined } from "./card-decline.ts";
import { behaviourFor, type CardOutcome, testNumbers } from "./card-number.ts";
import { createHolderPage } from "./holder-page.ts";
import { closePageLink, findPageLink, openPageLink } from "./page-link-store.ts";
import { isExpired, type KnownCard, readCard } from "./read-card.ts";
import {
  enterCard,
  findCard,
  findDecision,
  type RecordedLink,
  recordLink,
  recordToken,
  unlinkCard,
} from "./simulated-card-store.ts";
import {
  type ChargeDecision,
  chargeDecisions,
  findCharge,
  findRefund,
  moveCharge,
  moveRefund,
  type RecordedCharge,
  type RecordedRefund,
  recordCharge,
  recordRefund,
} from "./simulated-charge-store.ts";

export interface SimulatedCardOptions {
  /** The network's own connections. */
  readonly pool: pg.Pool;
  /** Ours: for the time in a sandbox. */
  readonly db: Database;
}

export interface VaultToken {
  readonly token: string;
  readonly brand: KnownCard["brand"];
  readonly last4: string;
}

export interface SimulatedCard {
  readonly rail: CardRail;
  /** Takes what the card page sends. Throws `validation_failed` with every bad field. */
  tokenize(sandbox: string, body: unknown): Promise<VaultToken>;
  /** A token as if the test card that plays this outcome had been typed in, for linking without a browser. */
  makeToken(sandbox: string, outcome: CardOutcome): Promise<string>;
  /** False when the charge has gone another way. */
  decideCharge(sandbox: string, chargeId: string, decision: ChargeDecision): Promise<boolean>;
  /** Ends a refund that takes its time. False when it has gone another way. */
  decideRefund(sandbox: string, refundId: string, decision: "complete" | "fail"): Promise<boolean>;
  /** What the page of a holder's bank shows and does. */
  readonly bankPage: BankPage;
}

export const vaultPath = "/hosted/card-vault/tokens";

const tokenLifeMs = 10 * 60_000;

/** How long a holder may take. */
const confirmWithinMs = 24 * 60 * 60_000;

export function createSimulatedCard(options: SimulatedCardOptions): SimulatedCard {
  const { pool, db } = options;
  return {
    rail: {
      name: "simulated",
      deduplicatesByCharge: true,
      settleWindowMs: 5_000,
      tokenizePath: ({ email }) => (typesAtBank(email) ? null : vaultPath),
      async startLink(start) {
        const { environmentId, linkId } = start;
        await openPageLink(pool, start, await timeIn(db, environmentId));
        return { outcome: "started", redirectUrl: `${bankPagePath}/${environmentId}/links/${linkId}` };
      },
      link: (order) => (order.cardToken === null ? askForPage(options, order) : link(options, order)),
      charge: (order) => charge(options, order),
      query: (question) => query(options, question),
      refund: async (order) => refundAnswer(await recordRefund(pool, order)),
      async queryRefund({ environmentId, refundId }) {
        const found = await findRefund(pool, environmentId, refundId);
        return found === undefined ? { outcome: "no_record" } : refundAnswer(found);
      },
      async unlink({ environmentId, token }) {
        await unlinkCard(pool, environmentId, token);
        return { outcome: "unlinked" };
      },
    },
    tokenize: async (sandbox, body) => tokenize(pool, sandbox, body, await timeIn(db, sandbox)),
    async makeToken(sandbox, outcome) {
      const now = await timeIn(db, sandbox);
      return (await tokenize(pool, sandbox, testEntry(outcome, now), now)).token;
    },
    bankPage: createHolderPage({
      pool,
      enterTestCard: async (sandbox, linkId, outcome) => {
        const card = await testCard(db, sandbox, outcome);
        const code = refusalToLink(card);
        await enterCard(pool, sandbox, linkId, { card, token: tokenFor({ environmentId: sandbox, linkId }), code });
      },
    }),
    decideCharge: (sandbox, chargeId, decision) => moveCharge(pool, sandbox, chargeId, chargeDecisions[decision]),
    decideRefund: (sandbox, refundId, decision) =>
      moveRefund(
        pool,
        sandbox,
        refundId,
        decision === "complete" ? { to: "paid", code: null } : { to: "declined", code: "refund_refused" },
      ),
  };
}

async function tokenize(pool: pg.Pool, sandbox: string, body: unknown, now: Date): Promise<VaultToken> {
  const card = readCard(body, now);
  const token = `ctok_${randomBytes(24).toString("hex")}`;
  await recordToken(pool, sandbox, token, card, { now, expiresAt: new Date(now.getTime() + tokenLifeMs) });
  return { token, brand: card.brand, last4: card.last4 };
}

async function link({ pool, db }: SimulatedCardOptions, order: CardLinkOrder): Promise<CardLinkAnswer> {
  const now = await timeIn(db, order.environmentId);
  return linkAnswer(await recordLink(pool, order, { token: tokenFor(order), now, decide: refusalToLink }));
}

function typesAtBank(email: string): boolean {
  return email.toLowerCase().endsWith(bankPageMail);
}

/** How long the bank's page can be used. */
const pageLifeMs = 24 * 60 * 60_000;

async function askForPage({ pool, db }: SimulatedCardOptions, order: CardLinkOrder): Promise<CardLinkAnswer> {
  const { environmentId, linkId } = order;
  const decided = await findDecision(pool, environmentId, linkId);
  if (decided !== undefined) return linkAnswer(decided);
  const page = await findPageLink(pool, environmentId, linkId);
  if (page === undefined) return { outcome: "left" };
  const late = (await timeIn(db, environmentId)).getTime() - page.openedAt.getTime() >= pageLifeMs;
  if (late && (await closePageLink(pool, environmentId, linkId))) return { outcome: "left" };
  return { outcome: "unknown", code: "page_open" };
}

function refusalToLink({ behaviour }: KnownCard): DeclineCode | null {
  return behaviour === "declines_link" ? "05" : null;
}

function linkAnswer(recorded: RecordedLink): CardLinkAnswer {
  if (recorded.status === "declined") {
    const { code, fingerprint } = recorded;
    return { ...declined(code), ...(fingerprint === null ? {} : { fingerprint }) };
  }
  const { behaviour, ...card } = recorded.card;
  return { outcome: "linked", card: { token: recorded.token, ...card } };
}

async function charge({ pool, db }: SimulatedCardOptions, order: CardChargeOrder): Promise<CardChargeAnswer> {
  const card = await findCard(pool, order.environmentId, order.token);
  const now = await timeIn(db, order.environmentId);
  const code = refusalOf(card, now);
  const asks = code === null && card?.behaviour === "asks_holder";
  const status = code === null ? (asks ? "asked" : "paid") : "declined";
  return chargeAnswer(order, await recordCharge(pool, order, { status, code, askedAt: asks ? now : null }));
}

async function query({ pool, db }: SimulatedCardOptions, question: CardQuestion): Promise<CardQueryAnswer> {
  const { environmentId, chargeId } = question;
  const found = await findCharge(pool, environmentId, chargeId);
  if (found === undefined) return { outcome: "no_record" };
  const { askedAt } = found;
  const late = askedAt !== null && (await timeIn(db, environmentId)).getTime() - askedAt.getTime() >= confirmWithinMs;
  if (found.status === "asked" && late && (await moveCharge(pool, environmentId, chargeId, chargeDecisions.decline))) {
    return declined(chargeDecisions.decline.code);
  }
  if (found.status !== "reversed") return chargeAnswer(question, found);
  return { outcome: "taken_back", code: "charged_back", message: "The bank has taken this payment back." };
}

function refusalOf(card: KnownCard | undefined, now: Date): DeclineCode | null {
  if (card === undefined) return "14";
  if (isExpired(card, now)) return "54";
  return card.behaviour === "declines_charges" ? "51" : null;
}

/** One that was taken back had been paid: that is still the answer to its order. */
function chargeAnswer(charge: CardQuestion, { status, code }: RecordedCharge): CardChargeAnswer {
  if (code !== null) return declined(code);
  return status === "asked" ? { outcome: "needs_holder", url: confirmPath(charge) } : { outcome: "success" };
}

function refundAnswer({ status, code }: RecordedRefund): CardRefundAnswer {
  if (code !== null) return declined(code);
  return status === "pending" ? { outcome: "unknown", code: "pending" } : { outcome: "success" };
}

/** The bank's page, where a holder confirms: a path of this server. */
function confirmPath({ environmentId, chargeId }: CardQuestion): string {
  return `${bankPagePath}/${environmentId}/charges/${chargeId}`;
}

/** Made from the link, so that a sandbox that is played again gets the same one. */
function tokenFor({ environmentId, linkId }: Pick<CardLinkOrder, "environmentId" | "linkId">): string {
  const digest = createHash("sha256").update(`card/${environmentId}/${linkId}`).digest("hex");
  return `card_${digest.slice(0, 48)}`;
}

/** What a holder types in who has the test card for this outcome. */
function testEntry(outcome: CardOutcome, now: Date) {
  return { number: testNumbers[behaviourFor[outcome]], ...expiryFrom(now), cvv: "408" };
}

async function testCard(db: Database, sandbox: string, outcome: CardOutcome): Promise<KnownCard> {
  const now = await timeIn(db, sandbox);
  return readCard(testEntry(outcome, now), now);
}

/** Test cards outlive the longest loan, also where the sandbox's clock was moved far ahead. */
function expiryFrom(now: Date): { readonly expMonth: number; readonly expYear: number } {
  return { expMonth: 12, expYear: now.getUTCFullYear() + 3 };
}
