/** What every order shows last: its environment and its times. */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { EnvironmentWord, Nullable, Timestamp } from "../platform/http/wire.ts";
import type { OrderRecord } from "./order-records.ts";

export const orderStamps = {
  environment: EnvironmentWord,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  completedAt: Nullable(Timestamp),
};

export function stampsOf(
  { createdAt, updatedAt, completedAt }: Pick<OrderRecord, "createdAt" | "updatedAt" | "completedAt">,
  environment: EnvironmentKind,
) {
  return {
    environment,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  };
}
