import { Type } from "typebox";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { listAudit } from "../platform/records/audit.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import { auditData, presentAuditEntry } from "./schemas.ts";

export function auditRoute(): Route {
  return operatorRoute({
    method: "GET",
    path: "/operator/audit",
    operationId: "listAuditEntries",
    tag: "Operator",
    summary: "Read the audit trail",
    description:
      "What operators did, newest first: who, what, when, from where and by which request. Entries are never changed or deleted.",
    query: pageQuery,
    reply: { status: 200, message: "Audit trail retrieved.", data: Type.Array(auditData), paged: true },
    handle: async ({ query, read }) => {
      const { rows, pagination } = await read((tx) => listAudit(tx, pageOf(query)));
      return { data: rows.map(presentAuditEntry), pagination };
    },
  });
}
