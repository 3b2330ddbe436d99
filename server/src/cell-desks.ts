/**
 * Where acceptance hands payouts, bills and webhooks straight to workers of the same process. Every cell has a worker,
 * and desks of its own; what was accepted goes to those of the cell where it was written. An environment that is on its
 * way to another cell finds no room: its work waits in the queue, and comes along.
 */
import type { ClaimedBill, VendingDesk } from "./bills/start-at-once.ts";
import type { FollowedDirectory } from "./cells/follow-cells.ts";
import { homeCell } from "./cells/move-environment.ts";
import { createHandOver, type HandOver } from "./platform/work/hand-over.ts";
import type { ClaimedTransfer, SendingDesk } from "./transfers/start-at-once.ts";
import { createDeliveryDesk, type DeliveryDesk } from "./webhooks/deliver-at-once.ts";

interface Desks {
  readonly sendingDesk: SendingDesk;
  readonly vendingDesk: VendingDesk;
  readonly deliveryDesk: DeliveryDesk;
}

/** Desks at which the worker of the named cell sits, and from which everybody is led to the right one. */
type CellDesks = (cell?: string) => Desks;

type Directory = Pick<FollowedDirectory, "cellOf" | "isMoving">;

export function createCellDesks(directory: Directory): CellDesks {
  const own = new Map<string, Desks>();
  const reserve: DeliveryDesk["reserve"] = (kind, environmentId, events) => {
    if (directory.isMoving(environmentId)) return undefined;
    return own.get(cellOf(directory, environmentId))?.deliveryDesk.reserve(kind, environmentId, events);
  };
  const toSending = leadingTo(directory, (cell) => own.get(cell)?.sendingDesk);
  const toVending = leadingTo(directory, (cell) => own.get(cell)?.vendingDesk);
  return (cell = homeCell) => {
    const desks = own.get(cell) ?? {
      sendingDesk: createHandOver<ClaimedTransfer>(),
      vendingDesk: createHandOver<ClaimedBill>(),
      deliveryDesk: createDeliveryDesk(),
    };
    own.set(cell, desks);
    const { sendingDesk, vendingDesk, deliveryDesk } = desks;
    return {
      sendingDesk: { ...sendingDesk, ...toSending },
      vendingDesk: { ...vendingDesk, ...toVending },
      deliveryDesk: { join: deliveryDesk.join, leave: deliveryDesk.leave, reserve },
    };
  };
}

function cellOf(directory: Directory, environmentId: string): string {
  return directory.cellOf(environmentId) ?? homeCell;
}

function leadingTo<Claimed extends { readonly environmentId: string }>(
  directory: Directory,
  deskAt: (cell: string) => HandOver<Claimed> | undefined,
): Pick<HandOver<Claimed>, "room" | "start"> {
  return {
    room: (kind, lane) =>
      directory.isMoving(lane.environmentId)
        ? 0
        : (deskAt(cellOf(directory, lane.environmentId))?.room(kind, lane) ?? 0),
    // They are claimed already, so they start also when their environment has begun to move.
    start: (kind, rows) => {
      for (const [environmentId, its] of Map.groupBy(rows, (row) => row.environmentId)) {
        deskAt(cellOf(directory, environmentId))?.start(kind, its);
      }
    },
  };
}
