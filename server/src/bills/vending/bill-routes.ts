/** Finding bills again: by reference, by id, in a list. */
import { Type } from "typebox";
import type { Tx } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { describeRoute, type Read, type Reply, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { pageOf } from "../../platform/records/pagination.ts";
import { findByReference } from "../../platform/records/reference-claims.ts";
import { parseSpan } from "../../platform/time/time-span.ts";
import { type Bill, billList } from "./bill.ts";
import { findBill, listBills } from "./bill-store.ts";
import { billProblem } from "./errors.ts";
import { type PresentedBill, presentBill } from "./present-bill.ts";
import { billData, listQuery, statusBody } from "./schemas.ts";

const common = { tag: "Bills", scope: "bills:read" } as const;

export function billReadRoutes(): Route[] {
  return [statusRoute(), readRoute(), listRoute()];
}

function statusRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/bills/status",
    operationId: "getBillStatus",
    withoutProof: true,
    summary: "Find a bill by reference",
    description:
      "The bill as it is now, by your own reference, from the moment the request was accepted. It changes nothing, so an Idempotency-Key has no effect here.",
    body: statusBody,
    keepsNothing: true,
    reply: { status: 200, message: "Bill retrieved.", data: billData },
    problems: ["bill_not_found"],
    handle: ({ caller, body, read }) =>
      show(read, caller, async (tx) => {
        const id = await findByReference(tx, billList, body.reference);
        return id === null ? undefined : findBill(tx, id);
      }),
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/bills/{id}",
    operationId: "getBill",
    summary: "Read a bill",
    description: "The bill as it is now.",
    params: IdParams,
    reply: { status: 200, message: "Bill retrieved.", data: billData },
    problems: ["bill_not_found"],
    handle: ({ caller, params, read }) => show(read, caller, (tx) => findBill(tx, params.id)),
  });
}

async function show(
  read: Read,
  { kind }: Caller,
  find: (tx: Tx) => Promise<Bill | undefined>,
): Promise<Reply<PresentedBill>> {
  const bill = await read(find);
  if (bill === undefined) throw billProblem("bill_not_found");
  return { data: presentBill(bill, kind) };
}

function listRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/bills",
    operationId: "listBills",
    summary: "List bills",
    description: "Newest first. status, category, reference, from and to (creation) narrow it down.",
    query: listQuery,
    reply: { status: 200, message: "Bills retrieved.", data: Type.Array(billData), paged: true },
    handle: async ({ caller, query, read }) => {
      const { status, category = null, reference = null } = query;
      const statuses = status === undefined ? null : [status];
      const question = { statuses, category, reference, ...parseSpan(query) };
      const { rows, pagination } = await read((tx) => listBills(tx, question, pageOf(query)));
      return { data: rows.map((bill) => presentBill(bill, caller.kind)), pagination };
    },
  });
}
