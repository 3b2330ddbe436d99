import type { EnvironmentKind } from "../platform/database/database.ts";
/**
 * The banks that payouts can reach. A bank goes by two codes, the CBN code (three digits or more) and the 6-digit
 * code of the interbank switch (NIP); both are accepted wherever a bank code is. Gathered in November 2026.
 */
export type BankType = "commercial" | "microfinance" | "mobile_money" | "payment_service";

export interface Bank {
  readonly name: string;
  readonly code: string;
  readonly nipCode: string;
  readonly type: BankType;
  /** Exists in sandboxes only. */
  readonly simulated?: true;
}

const banks: readonly Bank[] = [
  { name: "9 Payment Service Bank", code: "120001", nipCode: "120001", type: "payment_service" },
  { name: "Access Bank", code: "044", nipCode: "000014", type: "commercial" },
  { name: "Access Bank (Diamond)", code: "063", nipCode: "000005", type: "commercial" },
  { name: "Carbon", code: "565", nipCode: "100026", type: "mobile_money" },
  { name: "Citibank Nigeria", code: "023", nipCode: "000009", type: "commercial" },
  { name: "Ecobank Nigeria", code: "050", nipCode: "000010", type: "commercial" },
  { name: "Fidelity Bank", code: "070", nipCode: "000007", type: "commercial" },
  { name: "First Bank of Nigeria", code: "011", nipCode: "000016", type: "commercial" },
  { name: "First City Monument Bank", code: "214", nipCode: "000003", type: "commercial" },
  { name: "Globus Bank", code: "103", nipCode: "000027", type: "commercial" },
  { name: "GoMoney", code: "100022", nipCode: "100022", type: "mobile_money" },
  { name: "Guaranty Trust Bank", code: "058", nipCode: "000013", type: "commercial" },
  { name: "Hope Payment Service Bank", code: "120002", nipCode: "120002", type: "payment_service" },
  { name: "Jaiz Bank", code: "301", nipCode: "000006", type: "commercial" },
  { name: "Keystone Bank", code: "082", nipCode: "000002", type: "commercial" },
  { name: "Kuda Microfinance Bank", code: "50211", nipCode: "090267", type: "microfinance" },
  { name: "Lotus Bank", code: "303", nipCode: "000029", type: "commercial" },
  { name: "Moniepoint Microfinance Bank", code: "50515", nipCode: "090405", type: "microfinance" },
  { name: "OPay", code: "999992", nipCode: "100004", type: "mobile_money" },
  { name: "Paga", code: "327", nipCode: "100002", type: "mobile_money" },
  { name: "PalmPay", code: "999991", nipCode: "100033", type: "mobile_money" },
  { name: "Parallex Bank", code: "526", nipCode: "000030", type: "commercial" },
  { name: "Polaris Bank", code: "076", nipCode: "000008", type: "commercial" },
  { name: "Providus Bank", code: "101", nipCode: "000023", type: "commercial" },
  { name: "Rubies Microfinance Bank", code: "125", nipCode: "090175", type: "microfinance" },
  { name: "Safe Haven Microfinance Bank", code: "51113", nipCode: "090286", type: "microfinance" },
  { name: "Signature Bank", code: "106", nipCode: "000034", type: "commercial" },
  { name: "Sparkle Microfinance Bank", code: "51310", nipCode: "090325", type: "microfinance" },
  { name: "Stanbic IBTC Bank", code: "221", nipCode: "000012", type: "commercial" },
  { name: "Standard Chartered Bank", code: "068", nipCode: "000021", type: "commercial" },
  { name: "Sterling Bank", code: "232", nipCode: "000001", type: "commercial" },
  { name: "SunTrust Bank", code: "100", nipCode: "000022", type: "commercial" },
  { name: "TAJBank", code: "302", nipCode: "000026", type: "commercial" },
  { name: "Titan Trust Bank", code: "102", nipCode: "000025", type: "commercial" },
  { name: "Union Bank of Nigeria", code: "032", nipCode: "000018", type: "commercial" },
  { name: "United Bank for Africa", code: "033", nipCode: "000004", type: "commercial" },
  { name: "Unity Bank", code: "215", nipCode: "000011", type: "commercial" },
  { name: "VFD Microfinance Bank", code: "566", nipCode: "090110", type: "microfinance" },
  { name: "Wema Bank", code: "035", nipCode: "000017", type: "commercial" },
  { name: "Zenith Bank", code: "057", nipCode: "000015", type: "commercial" },
];

/** Two banks that exist in sandboxes only: one never answers, one takes its time. */
const sandboxBanks: readonly Bank[] = [
  { name: "Slow Bank", code: "998", nipCode: "999998", type: "commercial", simulated: true },
  { name: "Nowhere Bank", code: "999", nipCode: "999999", type: "commercial", simulated: true },
];

const everywhere = indexByCode(banks);
const inSandboxes = indexByCode([...banks, ...sandboxBanks]);

function indexByCode(list: readonly Bank[]): ReadonlyMap<string, Bank> {
  return new Map(list.flatMap((bank) => [[bank.nipCode, bank] as const, [bank.code, bank] as const]));
}

export function listBanks(environment: EnvironmentKind): readonly Bank[] {
  return environment === "SANDBOX" ? [...banks, ...sandboxBanks] : banks;
}

/** Finds a bank by either of its codes. */
export function findBank(code: string, environment: EnvironmentKind): Bank | undefined {
  return (environment === "SANDBOX" ? inSandboxes : everywhere).get(code);
}

/** The bank of a stored code, whatever the environment. */
export function bankName(code: string): string {
  return inSandboxes.get(code)?.name ?? code;
}

/** A bank's address in the registry is its name in words joined by hyphens. */
export function bankSlug(bank: Bank): string {
  return bank.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
