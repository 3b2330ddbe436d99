import { uuidv7 } from "uuidv7";
import type { Tx } from "../platform/database/database.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import { takePositions } from "../platform/records/pagination.ts";
import { type EnvironmentOpened, openEnvironment } from "./add-environment.ts";
import type { Merchant } from "./merchant.ts";
import { insertMerchant } from "./merchant-store.ts";

export const merchantList = "merchants";

export interface CreateMerchant {
  readonly name: string;
  readonly email: string;
  readonly origin: Origin;
  readonly environmentOpened: EnvironmentOpened;
}

/** Creates a merchant with one sandbox, so that its first request can follow at once. */
export async function createMerchant(tx: Tx, command: CreateMerchant): Promise<Merchant> {
  const { name, email, origin, environmentOpened } = command;
  const merchant: Merchant = { id: uuidv7(), name, email, createdAt: new Date(), environments: [] };
  await insertMerchant(tx, merchant, await takePositions(tx, merchantList, 1));
  const first = { merchantId: merchant.id, kind: "SANDBOX", name: "Sandbox", environmentOpened } as const;
  const sandbox = await openEnvironment(tx, first);
  await recordAudit(tx, origin, {
    action: "merchant.create",
    subjectType: "merchant",
    subjectId: merchant.id,
    environmentId: sandbox.id,
    detail: { name, email },
  });
  return { ...merchant, environments: [sandbox] };
}
