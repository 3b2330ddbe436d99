/**
 * Who may import whom. A row names a folder of server/src and the folders it may look into besides itself; what is
 * not listed is forbidden. ARCHITECTURE.md shows the same table to people, and a test compares the two.
 */
const base = ["money", "platform", "ledger", "merchants", "wallets"];

export const mayImport: Readonly<Record<string, readonly string[]>> = {
  money: [],
  platform: ["money"],
  ledger: ["money", "platform"],
  rails: ["money", "platform"],
  merchants: ["money", "platform", "ledger"],
  auth: ["platform", "merchants"],
  wallets: ["money", "platform", "ledger", "merchants"],
  transfers: [...base, "rails"],
  bills: [...base, "rails"],
  lending: base,
  loans: [...base, "rails", "lending", "transfers"],
  checkout: [...base, "rails", "lending", "transfers"],
  webhooks: ["platform", "merchants"],
  shop: ["platform"],
  sandbox: ["money", "platform", "rails", "merchants"],
};

/**
 * Files that only their own folder may import, by name: how a domain keeps its rows and how it speaks HTTP are its
 * own affair. The composition roots (app.ts, tasks.ts and the other files directly in server/src) collect routes and
 * jobs.
 */
export const privateFiles = String.raw`(^|/|-)(store|schemas|routes)\.ts$|\.job\.ts$`;
export const collectedByRoots = String.raw`(^|/|-)routes\.ts$|\.job\.ts$`;
