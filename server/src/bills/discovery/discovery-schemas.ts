import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, Nullable, Timestamp } from "../../platform/http/wire.ts";
import {
  BettingCustomer,
  Category,
  MeterNumber,
  MeterTypeWord,
  NetworkCode,
  PhoneNumber,
  ProviderCode,
  SmartCardNumber,
} from "../vending/fields.ts";

const minAmount = Type.Number({ format: "naira", examples: [50] });
const maxAmount = Type.Number({ format: "naira", examples: [50_000] });

export const categoriesData = Type.Array(
  named(
    "BillCategory",
    Type.Object({
      code: Category,
      name: Type.String({ examples: ["Airtime"] }),
      requiresValidation: Type.Boolean({ examples: [false] }),
      vendPath: Type.String({ examples: ["/bills/airtime/vend"] }),
    }),
  ),
);

export const networksData = Type.Array(
  named(
    "Network",
    Type.Object({
      code: Type.String({ examples: ["MTN"] }),
      name: Type.String({ examples: ["MTN"] }),
      prefixes: Type.Array(Type.String(), {
        description: "Prefixes of its numbers; only a hint, because numbers can move to another network.",
        examples: [["0703", "0803"]],
      }),
      minAmount,
      maxAmount,
    }),
  ),
);

export const networkQuery = Type.Object({ network: Type.Optional(NetworkCode) });

export const dataPlansData = Type.Array(
  named(
    "DataPlan",
    Type.Object({
      planCode: Type.String({ examples: ["mtn-1gb-7d"] }),
      network: Type.String({ examples: ["MTN"] }),
      name: Type.String({ examples: ["MTN 1GB for 7 days"] }),
      size: Type.String({ examples: ["1GB"] }),
      validityDays: Nullable(Type.Integer({ description: "Null where the provider does not tell.", examples: [7] })),
      amount: NairaNumber,
    }),
  ),
);

export const electricityData = Type.Array(
  named(
    "ElectricityProvider",
    Type.Object({
      code: Type.String({ examples: ["ikeja-electric"] }),
      name: Type.String({ examples: ["Ikeja Electric"] }),
      shortName: Type.String({ examples: ["IKEDC"] }),
      meterTypes: Type.Array(MeterTypeWord),
      minAmount,
      maxAmount,
    }),
  ),
);

export const tvQuery = Type.Object({
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: "dstv, gotv or startimes.", examples: ["dstv"] }),
  ),
});

export const tvPackagesData = Type.Array(
  named(
    "TvPackage",
    Type.Object({
      provider: Type.String({ examples: ["dstv"] }),
      packageCode: Type.String({ examples: ["dstv-compact"] }),
      name: Type.String({ examples: ["DStv Compact"] }),
      amount: NairaNumber,
      months: Type.Integer({ examples: [1] }),
    }),
  ),
);

export const bettingData = Type.Array(
  named(
    "BettingProvider",
    Type.Object({
      code: Type.String({ examples: ["bet9ja"] }),
      name: Type.String({ examples: ["Bet9ja"] }),
      minAmount,
      maxAmount,
    }),
  ),
);

const customerName = Type.String({ description: "As the provider wrote it.", examples: ["Adaeze Ngozi Okafor"] });
const confirmation = {
  validationReference: Type.String({
    description:
      "Counts for this customer with this provider until expiresAt; a smart card's ends with a change of its package.",
    examples: ["01932c70-4d5e-7f60-8a1b-2c3d4e5f6071"],
  }),
  expiresAt: Timestamp,
};

export const tvValidateBody = Type.Object({
  provider: ProviderCode("/bills/tv/list", "dstv"),
  smartCardNumber: SmartCardNumber,
});

export const tvCustomerData = named(
  "TvCustomer",
  Type.Object({
    provider: Type.String({ examples: ["dstv"] }),
    smartCardNumber: Type.String({ examples: ["7023456789"] }),
    customerName,
    currentPackage: Nullable(Type.String({ description: "Its packageCode.", examples: ["dstv-compact"] })),
    renewalAmount: Nullable(
      Type.Number({
        format: "naira",
        description:
          "What renewing costs. Where currentPackage is null it is the provider's word, and the card cannot be renewed here.",
        examples: [19_000],
      }),
    ),
    dueDate: Nullable(Type.String({ format: "date", description: "When it ends.", examples: ["2026-11-30"] })),
    ...confirmation,
  }),
);

export const bettingValidateBody = Type.Object({
  provider: ProviderCode("/bills/betting/list", "bet9ja"),
  customerId: BettingCustomer,
});

export const bettingCustomerData = named(
  "BettingCustomer",
  Type.Object({
    provider: Type.String({ examples: ["bet9ja"] }),
    customerId: Type.String({ examples: ["1234567"] }),
    customerName,
    minAmount,
    maxAmount,
    ...confirmation,
  }),
);

export const electricityValidateBody = Type.Object({
  provider: ProviderCode("/bills/electricity/list", "ikeja-electric"),
  meterNumber: MeterNumber,
  meterType: MeterTypeWord,
});

export const electricityCustomerData = named(
  "ElectricityCustomer",
  Type.Object({
    provider: Type.String({ examples: ["ikeja-electric"] }),
    meterNumber: Type.String({ examples: ["45012345678"] }),
    meterType: MeterTypeWord,
    customerName,
    address: Nullable(Type.String({ examples: ["12 Allen Avenue, Ikeja"] })),
    minAmount,
    maxAmount,
    ...confirmation,
  }),
);

export const phoneValidateBody = Type.Object({ network: NetworkCode, phoneNumber: PhoneNumber });

export const phoneData = named(
  "PhoneCustomer",
  Type.Object({
    network: Type.String({ examples: ["MTN"] }),
    phoneNumber: Type.String({ description: "In E.164.", examples: ["+2348031234567"] }),
    prefixNetwork: Nullable(
      Type.String({
        description:
          "The network that issued the number, by its prefix. The number may have moved to another network since.",
        examples: ["MTN"],
      }),
    ),
    ...confirmation,
  }),
);
