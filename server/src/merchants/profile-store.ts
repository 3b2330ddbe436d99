import type { Tx } from "../platform/database/database.ts";
import type { Logo, LogoType } from "./merchant.ts";

export interface ProfileRow {
  readonly displayName: string | null;
  readonly logo: Logo | null;
}

export async function findProfileRow(tx: Tx): Promise<ProfileRow | undefined> {
  const row = await tx
    .selectFrom("merchant_profiles")
    .select(["display_name", "logo", "logo_type"])
    .where("environment_id", "=", tx.environment.id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { display_name: displayName, logo, logo_type: type } = row;
  return { displayName, logo: logo === null || type === null ? null : { bytes: logo, type: type as LogoType } };
}

export async function findLogoRow(tx: Tx): Promise<Logo | undefined> {
  return (await findProfileRow(tx))?.logo ?? undefined;
}

export async function upsertProfile(tx: Tx, { displayName, logo }: ProfileRow): Promise<void> {
  const values = {
    display_name: displayName,
    logo: logo?.bytes ?? null,
    logo_type: logo?.type ?? null,
    updated_at: tx.environment.clock.now(),
  };
  await tx
    .insertInto("merchant_profiles")
    .values({ environment_id: tx.environment.id, ...values })
    .onConflict((conflict) => conflict.column("environment_id").doUpdateSet(values))
    .execute();
}
