/** Approvals as people ask for them, read them and limit them. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo } from "../money/kobo.ts";
import type { OrderedPayout } from "../transfers/order-desk.ts";
import type { Approval } from "./approval.ts";
import {
  approvalData,
  askBody,
  detailData,
  limitBody,
  limitData,
  listQuery,
  presentApproval,
  presentPayouts,
  presentPreview,
  rejectBody,
} from "./schemas.ts";

const id = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const asker = { id: "01932c5e-8f4b-7c3a-9d2e-000000000001", email: "ada@mamaput.example" };
const second = { id: "01932c5e-8f4b-7c3a-9d2e-000000000002", email: "bola@mamaput.example" };
const createdAt = new Date("2026-11-03T09:15:00.000Z");
const expiresAt = new Date("2026-11-10T09:15:00.000Z");
const payout = {
  amount: 250_000.5,
  accountNumber: "0690000032",
  bankCode: "044",
  currency: "NGN",
  reference: "payout-1042",
  sourceAccountId: id,
};

const approval: Approval = {
  id,
  order: { kind: "payout", body: payout } as unknown as Approval["order"],
  reference: "payout-1042",
  amount: kobo(25_000_050n),
  payouts: 1,
  note: "Rent of the shop",
  requestedBy: asker,
  createdAt,
  expiresAt,
  storedStatus: "waiting",
  decision: null,
  transferId: null,
  batchId: null,
};

describe("an approval is asked for", () => {
  const complaints = complaintsOf(askBody);
  const { accountNumber, bankCode, amount, reference } = payout;
  const transfers = [{ accountNumber, bankCode, amount, reference }];
  const batch = { batchReference: "batch-7", currency: "NGN", sourceAccountId: id, transfers };

  test("with a payout or a batch, and perhaps a note", () => {
    expect(complaints({ payout })).toEqual({});
    expect(complaints({ batch })).toEqual({});
    expect(complaints({ payout, note: "Rent of the shop" })).toEqual({});
  });

  test("never with both, and never with neither", () => {
    expect(complaints({ payout, batch })).not.toEqual({});
    expect(complaints({})).not.toEqual({});
    expect(complaints({ note: "Please pay" })).not.toEqual({});
  });

  test.each(["", "   ", "\n\t", "x".repeat(501), 7])("not with the note %j", (note) => {
    expect(Object.keys(complaints({ payout, note }))).toEqual(["note"]);
  });

  test("with a payout that the endpoint of payouts would take: its fields are named where they stand", () => {
    expect(complaints({ payout: { ...payout, accountNumber: "12345" } })).toHaveProperty(["payout.accountNumber"]);
    expect(complaints({ payout: { ...payout, amount: 10.001 } })).toHaveProperty(["payout.amount"]);
    expect(complaints({ payout: { ...payout, amount: 0 } })).toHaveProperty(["payout.amount"]);
  });
});

describe("an approval is rejected", () => {
  const complaints = complaintsOf(rejectBody);

  test.each([{}, { reason: "Paid twice" }, { reason: "x".repeat(500) }])("with %j", (body) => {
    expect(complaints(body)).toEqual({});
  });

  test.each(["", " ", "x".repeat(501), null, ["Paid twice"]])("not with the reason %j", (reason) => {
    expect(Object.keys(complaints({ reason }))).toEqual(["reason"]);
  });
});

describe("the list", () => {
  const complaints = complaintsOf(listQuery, "query");

  test("is whole, or of those that wait", () => {
    expect(complaints({})).toEqual({});
    expect(complaints({ waiting: "true" })).toEqual({});
  });

  test.each(["false", "1", "TRUE", ""])("is not asked for with waiting=%j", (waiting) => {
    expect(complaints({ waiting })).toEqual({ waiting: "must be one of true" });
  });
});

describe("an approval is shown", () => {
  test("to its asker as their own, in naira, and fits the document", () => {
    const shown = presentApproval(approval, asker.id, createdAt);
    expect(shown).toEqual({
      id,
      kind: "payout",
      status: "waiting",
      reference: "payout-1042",
      amount: 250_000.5,
      payoutCount: 1,
      note: "Rent of the shop",
      requestedBy: asker.email,
      isOwn: true,
      createdAt: "2026-11-03T09:15:00.000Z",
      expiresAt: "2026-11-10T09:15:00.000Z",
      decidedBy: null,
      decidedAt: null,
      reason: null,
      transferId: null,
      batchId: null,
    });
    expect(complaintsOf(approvalData)(shown)).toEqual({});
  });

  test("to a second person as somebody else's", () => {
    expect(presentApproval(approval, second.id, createdAt).isOwn).toBe(false);
  });

  test("as waiting until the last millisecond of its week, and as expired from then on", () => {
    const before = new Date(expiresAt.getTime() - 1);
    expect(presentApproval(approval, second.id, before).status).toBe("waiting");
    expect(presentApproval(approval, second.id, expiresAt).status).toBe("expired");
  });

  test.each(["approved", "rejected"] as const)("as %s for good, with who decided and why", (storedStatus) => {
    const decision = { by: second, at: expiresAt, reason: "Seen" };
    const later = new Date("2030-01-01T00:00:00Z");
    const shown = presentApproval({ ...approval, storedStatus, decision, transferId: id }, asker.id, later);
    expect(shown).toMatchObject({
      status: storedStatus,
      decidedBy: second.email,
      decidedAt: expiresAt.toISOString(),
      reason: "Seen",
      transferId: id,
    });
    expect(complaintsOf(approvalData)(shown)).toEqual({});
  });

  test("without the ids of the people concerned", () => {
    const text = JSON.stringify(
      presentApproval({ ...approval, decision: { by: second, at: createdAt, reason: null } }, asker.id, createdAt),
    );
    expect(text).not.toContain(asker.id);
    expect(text).not.toContain(second.id);
  });
});

describe("what will be paid", () => {
  const ordered: OrderedPayout = {
    reference: "payout-1042",
    accountNumber: "0690000032",
    bankCode: "044",
    bankName: "Access Bank",
    amount: kobo(25_000_050n),
    narration: null,
    accountName: "Adaeze Okafor",
  };
  const preview = {
    fee: kobo(5_375n),
    totalDebit: kobo(25_005_425n),
    available: kobo(20_000_000n),
    availableAfter: kobo(-5_005_425n),
    bankSays: "ADAEZE OKAFOR",
    refusal: null,
  };

  test("is shown payout by payout, in the order of the batch", () => {
    const judged = { reference: "batch-7", amount: kobo(1n), payouts: [ordered, { ...ordered, reference: "second" }] };
    const shown = presentPayouts(judged);
    expect(shown.map(({ reference }) => reference)).toEqual(["payout-1042", "second"]);
    expect(shown[0]).toEqual({ ...ordered, amount: 250_000.5 });
  });

  test("is shown with what it costs, below zero when the wallet cannot cover it", () => {
    expect(presentPreview(preview)).toEqual({
      fee: 53.75,
      totalDebit: 250_054.25,
      available: 200_000,
      availableAfter: -50_054.25,
      bankSays: "ADAEZE OKAFOR",
      refusal: null,
    });
  });

  test("fits the document while it waits, and has no preview afterwards", () => {
    const shown = presentApproval(approval, asker.id, createdAt);
    const complaints = complaintsOf(detailData);
    const payouts = presentPayouts({ reference: "r", amount: kobo(1n), payouts: [ordered] });
    expect(complaints({ ...shown, payouts, preview: presentPreview(preview) })).toEqual({});
    expect(complaints({ ...shown, payouts, preview: null })).toEqual({});
    expect(Object.keys(complaints({ ...shown, payouts }))).toEqual(["preview"]);
  });
});

describe("the limit of what a person pays alone", () => {
  const complaints = complaintsOf(limitBody);

  test.each([0, 0.01, 50_000, 100_000_000_000, null])("may be %j", (amount) => {
    expect(complaints({ amount })).toEqual({});
  });

  test.each([-0.01, 100_000_000_000.01, 0.001, "50000", true])("is not %j", (amount) => {
    expect(Object.keys(complaints({ amount }))).toEqual(["amount"]);
  });

  test("must be sent: nothing is not no limit", () => {
    expect(complaints({})).toEqual({ amount: "is required" });
  });

  test("is read with who set it, or with nobody while there is none", () => {
    const none = { amount: null, setBy: null, setAt: null, spent: 0 };
    expect(complaintsOf(limitData)(none)).toEqual({});
    const set = { amount: 50_000, setBy: asker.email, setAt: createdAt.toISOString(), spent: 12.5 };
    expect(complaintsOf(limitData)(set)).toEqual({});
  });
});
