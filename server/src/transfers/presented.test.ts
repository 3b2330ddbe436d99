/** Transfers, batches, tariffs and banks as the API shows them, and what a repeated request asks differently. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo, zeroKobo } from "../money/kobo.ts";
import {
  type BatchItem,
  itemsInOrder,
  nobodyNamed,
  presentBatch,
  type RejectedItem,
  type TransferBatch,
} from "./batches/batch.ts";
import { batchData } from "./batches/batch-schemas.ts";
import { judge } from "./discovery/bank-health.ts";
import type { TransferDraft } from "./payouts/accept-transfer.ts";
import { differingFields } from "./payouts/create-transfer.ts";
import { presentTransfer } from "./payouts/present-transfer.ts";
import { transferData } from "./payouts/schemas.ts";
import type { Transfer } from "./payouts/transfer.ts";
import { presentTariff, readTariff, tariffBody, tariffData } from "./tariff/tariff-routes.ts";

const at = new Date("2026-11-03T09:15:00.000Z");
const id = "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071";

const transfer: Transfer = {
  id,
  purpose: "payout",
  reference: "payout-1042",
  externalReference: null,
  batchId: null,
  sourceAccountId: id,
  accountNumber: "0690000032",
  accountName: "ADAEZE NGOZI OKAFOR",
  expectedName: "Adaeze Okafor",
  bankCode: "044",
  amount: kobo(1_000_000n),
  fee: kobo(2_500n),
  vat: kobo(188n),
  stampDuty: kobo(5_000n),
  narration: "October",
  metadata: { orderId: "1042", paid: true },
  status: "pending",
  version: 1,
  sessionId: null,
  failureReason: null,
  createdAt: at,
  updatedAt: at,
  completedAt: null,
  connectionId: "c-1",
};

describe("a transfer as it is shown", () => {
  test.each(["pending", "processing", "completed"] as const)("costs amount and charges while it is %s", (status) => {
    expect(presentTransfer({ ...transfer, status }, "LIVE")).toMatchObject({
      amount: 10_000,
      fee: 25,
      vat: 1.88,
      stampDuty: 50,
      totalDebit: 10_076.88,
    });
  });

  test.each(["failed", "reversed"] as const)("costs nothing once it is %s, and says its amount and why", (status) => {
    const failureReason = { code: "nip_07", message: "The account is not valid" };
    expect(presentTransfer({ ...transfer, status, failureReason }, "LIVE")).toMatchObject({
      failureReason,
      amount: 10_000,
      fee: 0,
      vat: 0,
      stampDuty: 0,
      totalDebit: 0,
    });
  });

  test("is what the document says, and tells nothing of our accounts at providers", () => {
    const shown = presentTransfer({ ...transfer, status: "completed", completedAt: at }, "SANDBOX");
    expect(complaintsOf(transferData)(shown)).toEqual({});
    expect(shown).toMatchObject({ bankName: "Access Bank", environment: "SANDBOX", completedAt: at.toISOString() });
    expect(Object.keys(shown).sort()).toEqual(Object.keys(transferData.properties).sort());
    for (const ours of ["c-1", "Adaeze Okafor"]) expect(JSON.stringify(shown)).not.toContain(ours);
  });

  test("adds up to the kobo for any amount and any charge", () => {
    const some = fc.bigInt({ min: 0n, max: 100_000_000n });
    fc.assert(
      fc.property(some, some, some, some, (amount, fee, vat, duty) => {
        const priced = { ...transfer, amount: kobo(amount), fee: kobo(fee), vat: kobo(vat), stampDuty: kobo(duty) };
        const shown = presentTransfer(priced, "LIVE");
        expect(Math.round(shown.totalDebit * 100)).toBe(Number(amount + fee + vat + duty));
      }),
    );
  });
});

describe("a second request under one reference", () => {
  const draft: TransferDraft = { ...transfer };

  test("asks for the same, whatever became of the first and in whatever order its metadata is written", () => {
    expect(differingFields(transfer, draft)).toEqual([]);
    expect(differingFields({ ...transfer, status: "failed", version: 7 }, draft)).toEqual([]);
    expect(differingFields(transfer, { ...draft, metadata: { paid: true, orderId: "1042" } })).toEqual([]);
    // The holder's name is the bank's word, and the batch is where it came with: neither is part of what was asked.
    expect(differingFields(transfer, { ...draft, accountName: null, batchId: "b-1" })).toEqual([]);
  });

  test.each<[string, Partial<TransferDraft>]>([
    ["reference", { reference: "PAYOUT-1042" }],
    ["externalReference", { externalReference: "e-1" }],
    ["sourceAccountId", { sourceAccountId: "w-2" }],
    ["accountNumber", { accountNumber: "0690000033" }],
    ["bankCode", { bankCode: "058" }],
    ["amount", { amount: kobo(1_000_001n) }],
    ["narration", { narration: null }],
    ["accountName", { expectedName: null }],
    ["accountName", { expectedName: "Adaeze Obi" }],
    ["metadata", { metadata: { orderId: "1042", paid: "true" } }],
    ["metadata", { metadata: { orderId: "1042" } }],
    ["metadata", { metadata: null }],
  ])("that has another %s is told so", (field, change) => {
    expect(differingFields(transfer, { ...draft, ...change })).toEqual([field]);
  });

  test("is told every difference at once; no metadata and an empty one are the same", () => {
    const change = { bankCode: "058", amount: kobo(1n), narration: "Other", metadata: null };
    expect(differingFields(transfer, { ...draft, ...change })).toEqual(Object.keys(change));
    expect(differingFields({ ...transfer, metadata: null }, { ...draft, metadata: {} })).toEqual([]);
    expect(differingFields({ ...transfer, metadata: { a: null } }, { ...draft, metadata: {} })).toEqual(["metadata"]);
  });
});

describe("the items of a batch", () => {
  const accepted = (reference: string): BatchItem => ({
    ...nobodyNamed,
    reference,
    id,
    status: "pending",
    code: null,
    message: null,
  });
  const rejected = (index: number): RejectedItem => ({ index, reference: `r${index}`, code: "c", message: "m" });

  test("come back in the order of the request, however many were rejected and wherever they stood", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (verdicts) => {
        const indices = verdicts.map((_, index) => index);
        const refused = indices.filter((index) => verdicts[index] === false).map(rejected);
        const taken = indices.filter((index) => verdicts[index] === true).map((index) => accepted(`r${index}`));
        const items = itemsInOrder(refused.toReversed(), taken);
        expect(items.map(({ reference }) => reference)).toEqual(indices.map((index) => `r${index}`));
        expect(items.map(({ status }) => status !== "rejected")).toEqual(verdicts);
      }),
    );
  });

  test("do not change the lists that they are made of", () => {
    const [taken, refused] = [[accepted("a")], [rejected(1), rejected(0)]];
    itemsInOrder(refused, taken);
    expect([taken.length, refused[0]?.index]).toEqual([1, 1]);
  });

  test("are shown with the batch, which is done when the last of them is", () => {
    const counts = { pending: 1, processing: 0, completed: 0, failed: 0, reversed: 0 };
    const batch: TransferBatch = {
      id,
      batchReference: "payroll",
      totalCount: 2,
      acceptedCount: 1,
      rejectedCount: 1,
      totalAmount: kobo(1_000_050n),
      totalFee: kobo(2_688n),
      rejected: [rejected(0)],
      openCount: 1,
      version: 1,
      createdAt: at,
      completedAt: null,
      countsByStatus: counts,
    };
    const shown = presentBatch(batch, itemsInOrder(batch.rejected, [accepted("a")]));
    expect(complaintsOf(batchData)(shown)).toEqual({});
    expect(shown).toMatchObject({ status: "processing", totalAmount: 10_000.5, totalFee: 26.88, counts });
    expect(presentBatch({ ...batch, completedAt: at }, []).status).toBe("completed");
  });
});

describe("a bank's condition", () => {
  test.each([
    [0, 0, null, "up"],
    [2, 0, null, "up"],
    [3, 0, null, "down"],
    [3, 1, 1, "down"],
    [3, 1, 99, "down"],
    [3, 2, 1, "degraded"],
    [4, 2, 1, "degraded"],
    [10, 8, 1, "degraded"],
    [10, 9, 1, "up"],
    [2, 2, 99, "up"],
    [10, 10, 30, "up"],
    [10, 10, 30.001, "degraded"],
    [10, 4, 60, "down"],
  ] as const)("of %i payouts with %i paid in %s seconds is %s", (sample, paid, median, status) => {
    expect(judge(sample, paid, median)).toBe(status);
  });

  test("never gets worse when one more of the same sample is paid", () => {
    const rank = { down: 0, degraded: 1, up: 2 };
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (sample, share) => {
        const paid = Math.min(share, Math.max(0, sample - 1));
        expect(rank[judge(sample, paid + 1, 1)]).toBeGreaterThanOrEqual(rank[judge(sample, paid, 1)]);
      }),
    );
  });
});

describe("a tariff on the wire", () => {
  const body = {
    version: 2,
    effectiveFrom: "2026-12-01T00:00:00.000Z",
    bands: [
      { upTo: 5_000, fee: 10 },
      { upTo: null, fee: 50.05 },
    ],
    vatPercent: 7.5,
    stampDuty: 50,
    stampDutyFrom: 10_000,
    source: "CBN guide",
    reason: "New guide",
  };
  const complaints = complaintsOf(tariffBody);

  test("is read to the kobo and shown as it was written", () => {
    const tariff = readTariff(body);
    expect(tariff).toMatchObject({ vatPerMille: 75n, stampDuty: kobo(5_000n), stampDutyFrom: kobo(1_000_000n) });
    expect(tariff.bands[1]).toEqual({ upTo: null, fee: kobo(5_005n) });
    const { reason: _, ...fields } = body;
    const shown = presentTariff(tariff, true);
    expect(shown).toEqual({ ...fields, inForce: true });
    expect(complaintsOf(tariffData)(shown)).toEqual({});
  });

  test("may charge nothing at all", () => {
    const free = { ...body, bands: [{ upTo: null, fee: 0 }], vatPercent: 0, stampDuty: 0 };
    expect(complaints(free)).toEqual({});
    expect(readTariff(free).bands[0]?.fee).toBe(zeroKobo);
  });

  test.each([7.55, 0.01, 99.999])("with %s percent of tax has too many decimals", (vatPercent) => {
    expect(() => readTariff({ ...body, vatPercent })).toThrow(
      expect.objectContaining({ errors: [{ field: "vatPercent", message: "must have at most one decimal" }] }),
    );
  });

  test.each([
    [{ bands: [] }, "bands"],
    [{ bands: [{ upTo: 0, fee: 1 }] }, "bands[0].upTo"],
    [{ bands: [{ upTo: null, fee: -1 }] }, "bands[0].fee"],
    [{ bands: [{ upTo: null, fee: 100_000.01 }] }, "bands[0].fee"],
    [{ bands: [{ fee: 1 }] }, "bands[0].upTo"],
    [{ vatPercent: 100.1 }, "vatPercent"],
    [{ vatPercent: -1 }, "vatPercent"],
    [{ stampDutyFrom: 0 }, "stampDutyFrom"],
    [{ source: "  " }, "source"],
    [{ reason: "\t" }, "reason"],
    [{ version: 0 }, "version"],
    [{ effectiveFrom: "tomorrow" }, "effectiveFrom"],
  ])("with %j is refused at %s", (change, field) => {
    expect(Object.keys(complaints({ ...body, ...change }))).toEqual([field]);
  });
});
