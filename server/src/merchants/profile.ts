/**
 * How a merchant appears on the pages that its customers see. The name is the merchant's own unless another was set;
 * the logo is kept here and served from our own address, so that a page never speaks to anybody else's server.
 */
import { createHash } from "node:crypto";
import type { Tx } from "../platform/database/database.ts";
import { commonProblem } from "../platform/problem.ts";
import type { Logo, LogoType } from "./merchant.ts";
import { findLogoRow, findProfileRow, upsertProfile } from "./profile-store.ts";
import { findMerchantName } from "./read-merchants.ts";

export interface MerchantProfile {
  /** What customers read. */
  readonly displayName: string;
  /** A path of this server, or null. It changes with the picture, so that browsers may keep what they have. */
  readonly logoPath: string | null;
}

export interface ProfileChange {
  /** Null goes back to the merchant's own name. */
  readonly displayName?: string | null;
  readonly logo?: string | null;
}

const mostLogoBytes = 64 * 1024;

export async function readProfile(tx: Tx): Promise<MerchantProfile> {
  const logo = await findLogoRow(tx);
  return { displayName: await findMerchantName(tx), logoPath: logo === undefined ? null : pathOf(tx, logo) };
}

/** Throws validation_failed for a logo that is not a picture. */
export async function changeProfile(tx: Tx, change: ProfileChange): Promise<MerchantProfile> {
  const before = await findProfileRow(tx);
  const { displayName = before?.displayName ?? null } = change;
  const logo = change.logo === undefined ? (before?.logo ?? null) : readLogo(change.logo);
  await upsertProfile(tx, { displayName: displayName?.trim() ?? null, logo });
  return readProfile(tx);
}

function pathOf(tx: Tx, { bytes }: Logo): string {
  return `/merchant-logos/${tx.environment.id}/${fingerprint(bytes)}`;
}

export function fingerprint(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

/** By the first bytes, which a browser goes by too. A drawing in SVG can hold script, so it is not among them. */
function typeOf(bytes: Buffer): LogoType | undefined {
  const head = bytes.subarray(0, 12).toString("hex");
  if (head.startsWith("89504e470d0a1a0a")) return "image/png";
  if (head.startsWith("ffd8ff")) return "image/jpeg";
  return head.startsWith("52494646") && head.endsWith("57454250") ? "image/webp" : undefined;
}

function readLogo(text: string | null): Logo | null {
  if (text === null) return null;
  const bytes = Buffer.from(/^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? "", "base64");
  const type = typeOf(bytes);
  if (type === undefined) throw bad("must be a PNG, JPEG or WebP picture as data:image/png;base64,…");
  if (bytes.length > mostLogoBytes) throw bad(`must have at most ${mostLogoBytes / 1024} KiB`);
  return { type, bytes };
}

function bad(message: string) {
  return commonProblem("validation_failed", { errors: [{ field: "logo", message }] });
}
