/**
 * Where acceptance hands payouts and webhooks straight to workers of the same process. Every cell has a worker, and
 * desks of its own; what was accepted goes to those of the cell where it was written. An environment that is on its
 * way to another cell finds no room: its work waits in the queue, and comes along.
 */
import type { FollowedDirectory } from "./cells/follow-cells.ts";
import { homeCell } from "./cells/move-environment.ts";
import { createHandOver } from "./platform/work/hand-over.ts";
import type { ClaimedTransfer, SendingDesk } from "./transfers/start-at-once.ts";
import { createDeliveryDesk, type DeliveryDesk } from "./webhooks/deliver-at-once.ts";

interface Desks {
  readonly sendingDesk: SendingDesk;
  readonly deliveryDesk: DeliveryDesk;
}

/** Desks at which the worker of the named cell sits, and from which everybody is led to the right one. */
type CellDesks = (cell?: string) => Desks;

export function createCellDesks(directory: Pick<FollowedDirectory, "cellOf" | "isMoving">): CellDesks {
  const own = new Map<string, Desks>();
  const at = (environmentId: string): Desks | undefined =>
    directory.isMoving(environmentId) ? undefined : own.get(directory.cellOf(environmentId) ?? homeCell);
  const room: SendingDesk["room"] = (kind, lane) => at(lane.environmentId)?.sendingDesk.room(kind, lane) ?? 0;
  // They are claimed already, so they start also when their environment has begun to move.
  const start: SendingDesk["start"] = (kind, rows) => {
    for (const [environmentId, its] of Map.groupBy(rows, (row) => row.environmentId)) {
      own.get(directory.cellOf(environmentId) ?? homeCell)?.sendingDesk.start(kind, its);
    }
  };
  const reserve: DeliveryDesk["reserve"] = (kind, environmentId, events) =>
    at(environmentId)?.deliveryDesk.reserve(kind, environmentId, events);
  return (cell = homeCell) => {
    const desks = own.get(cell) ?? {
      sendingDesk: createHandOver<ClaimedTransfer>(),
      deliveryDesk: createDeliveryDesk(),
    };
    own.set(cell, desks);
    const { sendingDesk, deliveryDesk } = desks;
    return {
      sendingDesk: { join: sendingDesk.join, leave: sendingDesk.leave, room, start },
      deliveryDesk: { join: deliveryDesk.join, leave: deliveryDesk.leave, reserve },
    };
  };
}
