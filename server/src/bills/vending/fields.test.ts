/** The words in which a bill is asked for, each judged for itself. */
import { judgeFields } from "../../../testing/platform/judge-fields.ts";
import * as fields from "./fields.ts";

judgeFields("a bill", [
  [
    "category",
    fields.Category,
    ["airtime", "data", "electricity", "tv", "betting"],
    ["Airtime", "water", "", "toString", null, 1],
  ],
  ["network", fields.NetworkCode, ["MTN", "mtn", "9mobile", "x".repeat(40)], ["", "x".repeat(41), null, 9]],
  ["provider", fields.ProviderCode("/bills/tv", "dstv"), ["dstv", "ikeja-electric"], ["", "x".repeat(41), null]],
  [
    "phone",
    fields.PhoneNumber,
    ["08031234567", "2348031234567", "+2348031234567"],
    ["", "0803", "not a number", "x".repeat(31), 8_031_234_567],
  ],
  [
    "meter",
    fields.MeterNumber,
    ["45012345678", "0000000000000"],
    ["4501234567", "450123456789", "45012345678901", "4501234567a", " 45012345678", "45012345678\n", 45_012_345_678],
  ],
  ["meter type", fields.MeterTypeWord, ["prepaid", "postpaid"], ["PREPAID", "", "both", null]],
  [
    "smart card",
    fields.SmartCardNumber,
    ["70234567", "7023456789", "70234567891234"],
    ["7023456", "702345678912345", "70234-56789", "", 7_023_456_789],
  ],
  [
    "bettor",
    fields.BettingCustomer,
    ["1234567", "ada_okafor", "ada.o@example.com", "A-1", "x".repeat(60)],
    ["", "ada okafor", "ada+1", "x".repeat(61), "<b>", 1_234_567],
  ],
  ["subscription", fields.SubscriptionTypeWord, ["change", "renew"], ["Renew", "", "new", null]],
  ["amount", fields.BillAmount, [0.01, 1_000, 1_000.5, 99.99], [0, -1, 0.001, 10.005, "1000", null]],
  ["reference", fields.BillReference, ["o", "order-1042", "x".repeat(100)], ["", "x".repeat(101), null, 1_042]],
  ["validation", fields.ValidationReference, ["v", "x".repeat(200)], ["", "x".repeat(201), null]],
]);
