/**
 * Where a batch that numbers its own events hands its webhooks straight to the sender of the same process: deliveries
 * that it has room for are written as claimed and go out with the commit, and nobody has to look for them and claim
 * them. Should the process end in between, the claim runs out and another worker sends them, as after any claim.
 */
import { inBackground } from "../platform/database/cause.ts";
import { afterEnd, type EnvironmentKind } from "../platform/database/database.ts";
import { type EventWriter, writeNumbered } from "../platform/records/outbox.ts";
import { type ClaimAtOnce, type Claimed, recordAndClaim } from "./claim-store.ts";

/** Room that is set aside for a batch until its transaction has ended. */
export interface Reservation extends ClaimAtOnce {
  release(): void;
  start(claimed: readonly Claimed[]): void;
}

interface Taker {
  /** Nothing where there is no room for any. */
  reserve(kind: EnvironmentKind, environmentId: string, events: number): Reservation | undefined;
}

export interface DeliveryDesk extends Taker {
  /** A sender takes part, until it leaves. */
  join(taker: Taker): void;
  leave(): void;
}

export function createDeliveryDesk(): DeliveryDesk {
  let taker: Taker | undefined;
  return {
    join(sender) {
      taker = sender;
    },
    leave() {
      taker = undefined;
    },
    reserve: (...wanted) => taker?.reserve(...wanted),
  };
}

export function deliverAtOnce(desk: DeliveryDesk): EventWriter {
  return async (tx, rows) => {
    const { id, kind } = tx.environment;
    const reservation = desk.reserve(kind, id, rows.length);
    if (reservation === undefined) return writeNumbered(tx, rows);
    let claimed: readonly Claimed[] = [];
    afterEnd(tx, (committed) => {
      reservation.release();
      // What follows is no longer the request.
      if (committed && claimed.length > 0) inBackground(() => reservation.start(claimed));
    });
    claimed = await recordAndClaim(tx, rows, reservation);
  };
}
