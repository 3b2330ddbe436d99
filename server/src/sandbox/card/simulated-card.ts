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
  CardRail,
  CardRefusal,
} from "../../rails/card.ts";
import { type DeclineCode, declined } from "./card-decline.ts";
import { type CardBehaviour, testNumbers } from "./card-number.ts";
import { isExpired, type KnownCard, readCard } from "./read-card.ts";
import { findCard, recordLink, recordToken, unlinkCard } from "./simulated-card-store.ts";
import { findCharge, findRefund, recordCharge, recordRefund } from "./simulated-charge-store.ts";

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

export type CardOutcome = "linked" | "declined" | "declines_later";

export interface SimulatedCard {
  readonly rail: CardRail;
  /** Takes what the card page sends. Throws `validation_failed` with every bad field. */
  tokenize(sandbox: string, body: unknown): Promise<VaultToken>;
  /** A token as if the test card that plays this outcome had been typed in, for linking without a browser. */
  makeToken(sandbox: string, outcome: CardOutcome): Promise<string>;
}

export const vaultPath = "/hosted/card-vault/tokens";

const tokenLifeMs = 10 * 60_000;

const behaviourFor: Readonly<Record<CardOutcome, CardBehaviour>> = {
  linked: "links",
  declined: "declines_link",
  declines_later: "declines_charges",
};

export function createSimulatedCard(options: SimulatedCardOptions): SimulatedCard {
  const { pool, db } = options;
  return {
    rail: {
      name: "simulated",
      deduplicatesByCharge: true,
      settleWindowMs: 5_000,
      tokenizePath: vaultPath,
      link: (order) => link(options, order),
      charge: (order) => charge(options, order),
      async query({ environmentId, chargeId }) {
        const found = await findCharge(pool, environmentId, chargeId);
        return found === undefined ? { outcome: "no_record" } : answerOf(found);
      },
      refund: async (order) => answerOf(await recordRefund(pool, order)),
      async queryRefund({ environmentId, refundId }) {
        const found = await findRefund(pool, environmentId, refundId);
        return found === undefined ? { outcome: "no_record" } : answerOf(found);
      },
      async unlink({ environmentId, token }) {
        await unlinkCard(pool, environmentId, token);
        return { outcome: "unlinked" };
      },
    },
    tokenize: async (sandbox, body) => tokenize(pool, sandbox, body, await timeIn(db, sandbox)),
    async makeToken(sandbox, outcome) {
      const now = await timeIn(db, sandbox);
      const body = { number: testNumbers[behaviourFor[outcome]], ...expiryFrom(now), cvv: "408" };
      return (await tokenize(pool, sandbox, body, now)).token;
    },
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
  const decide = ({ behaviour }: KnownCard): DeclineCode | null => (behaviour === "declines_link" ? "05" : null);
  const recorded = await recordLink(pool, order, { token: tokenFor(order), now, decide });
  if (recorded.status === "declined") {
    const { code, fingerprint } = recorded;
    return { ...declined(code), ...(fingerprint === null ? {} : { fingerprint }) };
  }
  const { behaviour, ...card } = recorded.card;
  return { outcome: "linked", card: { token: recorded.token, ...card } };
}

async function charge({ pool, db }: SimulatedCardOptions, order: CardChargeOrder): Promise<CardChargeAnswer> {
  const card = await findCard(pool, order.environmentId, order.token);
  const code = refusalOf(card, await timeIn(db, order.environmentId));
  return answerOf(await recordCharge(pool, order, code));
}

function refusalOf(card: KnownCard | undefined, now: Date): DeclineCode | null {
  if (card === undefined) return "14";
  if (isExpired(card, now)) return "54";
  return card.behaviour === "declines_charges" ? "51" : null;
}

function answerOf(code: DeclineCode | null): { readonly outcome: "success" } | CardRefusal {
  return code === null ? { outcome: "success" } : declined(code);
}

/** Made from the link, so that a sandbox that is played again gets the same one. */
function tokenFor({ environmentId, linkId }: CardLinkOrder): string {
  const digest = createHash("sha256").update(`card/${environmentId}/${linkId}`).digest("hex");
  return `card_${digest.slice(0, 48)}`;
}

/** Test cards outlive the longest loan, also where the sandbox's clock was moved far ahead. */
function expiryFrom(now: Date): { readonly expMonth: number; readonly expYear: number } {
  return { expMonth: 12, expYear: now.getUTCFullYear() + 3 };
}
