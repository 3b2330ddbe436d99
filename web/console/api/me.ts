/** Who is signed in, and which rooms are open to that person. */
import { queryOptions } from "@tanstack/react-query";
import { peopleDoor, read } from "./client.ts";
import type { ProofWay } from "./proof.ts";

export interface EnvironmentChoice {
  readonly id: string;
  readonly kind: "LIVE" | "SANDBOX";
  readonly name: string;
}

export interface MerchantChoice {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly environments: readonly EnvironmentChoice[];
}

export interface Me {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly hasPassword: boolean;
    readonly twoFactorEnabled: boolean;
    readonly recoveryCodesLeft: number;
    readonly hasPasskey: boolean;
  };
  readonly merchants: readonly MerchantChoice[];
  readonly operator: { readonly role: string } | null;
  readonly signedInAt: string;
  readonly stepUpUntil: string | null;
  readonly proofWays: readonly ProofWay[];
}

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => read<Me>(peopleDoor, "/me"),
  staleTime: 60_000,
  retry: false,
});

export interface Place {
  readonly merchant: MerchantChoice;
  readonly environment: EnvironmentChoice;
}

export function placesOf(me: Me): Place[] {
  return me.merchants.flatMap((merchant) => merchant.environments.map((environment) => ({ merchant, environment })));
}

/** Where a person starts: where that person was last, else a sandbox, else what there is. */
export function firstPlace(me: Me, lastId: string | null): Place | undefined {
  const places = placesOf(me);
  const last = places.find(({ environment }) => environment.id === lastId);
  return last ?? places.find(({ environment }) => environment.kind === "SANDBOX") ?? places[0];
}
