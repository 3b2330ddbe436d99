import { expect, test } from "vitest";
import { validationOf, vendOf } from "./bill-order.ts";

const form = {
  network: "MTN",
  phoneNumber: "08031234567",
  planCode: "mtn-1gb-7d",
  provider: "dstv",
  smartCardNumber: "7023456789",
  meterNumber: "45012345678",
  meterType: "prepaid",
  customerId: "1234567",
  packageCode: "dstv-compact",
  amount: "₦1,500.50",
};
const reference = "r-1";
const phone = { phoneNumber: "08031234567" };

test.each([
  ["airtime", null, { network: "MTN", ...phone, amount: 1500.5, reference }],
  ["data", null, { network: "MTN", ...phone, planCode: "mtn-1gb-7d", reference }],
  [
    "electricity",
    { provider: "dstv", meterNumber: "45012345678", meterType: "prepaid" },
    { provider: "dstv", meterNumber: "45012345678", meterType: "prepaid", amount: 1500.5, ...phone, reference },
  ],
  [
    "tv",
    { provider: "dstv", smartCardNumber: "7023456789" },
    {
      provider: "dstv",
      smartCardNumber: "7023456789",
      packageCode: "dstv-compact",
      subscriptionType: "change",
      ...phone,
      reference,
    },
  ],
  [
    "betting",
    { provider: "dstv", customerId: "1234567" },
    { provider: "dstv", customerId: "1234567", amount: 1500.5, reference },
  ],
] as const)("%s asks and sends what the API wants", (category, asked, sent) => {
  expect(validationOf(category, form)).toEqual(asked);
  expect(vendOf(category, form, reference)).toEqual(sent);
});
