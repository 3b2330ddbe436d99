/** What VTpass lists as for sale, in the shapes in which it does: old and new spelling, prices as texts. */

const service = (serviceID: string, name: string, minimium: string, maximum: string | number) => ({
  serviceID,
  name,
  minimium_amount: minimium,
  maximum_amount: maximum,
  convinience_fee: "0 %",
  product_type: "fix",
  image: `https://sandbox.vtpass.com/resources/products/200X200/${serviceID}.jpg`,
});

const companies = [
  "ikeja",
  "eko",
  "abuja",
  "ibadan",
  "enugu",
  "benin",
  "portharcourt",
  "kano",
  "kaduna",
  "jos",
  "yola",
  "aba",
];

export const vtpassServices: Readonly<Record<string, readonly ReturnType<typeof service>[]>> = {
  airtime: [
    service("airtel", "Airtel Airtime VTU", "5", "50000"),
    service("mtn", "MTN Airtime VTU", "5", 50_000),
    service("glo", "GLO Airtime VTU", "5", "50000"),
    service("etisalat", "9mobile Airtime VTU", "5", "50000"),
    service("foreign-airtime", "International Airtime", "50", "1000000"),
  ],
  data: [
    service("airtel-data", "Airtel Data", "1", "1000000"),
    service("mtn-data", "MTN Data", "1", 1_000_000),
    service("glo-data", "GLO Data", "1", "200000"),
    service("etisalat-data", "9mobile Data", "1", "1000000"),
    service("smile-direct", "Smile Payment", "100", "150000"),
  ],
  "electricity-bill": companies.map((town) =>
    service(`${town}-electric`, `${town} Electric Payment`, "500", "1000000"),
  ),
  "tv-subscription": [
    service("dstv", "DSTV Subscription", "1", "1000000"),
    service("gotv", "Gotv Payment", "1", "1000000"),
    service("startimes", "Startimes Subscription", "90", "100000"),
    service("showmax", "ShowMax", "1", "100000"),
  ],
};

export interface Variation {
  readonly variation_code: string;
  readonly name: string;
  readonly variation_amount: string;
  readonly fixedPrice: string;
}

const offer = (variation_code: string, name: string, variation_amount: string, fixedPrice = "Yes"): Variation => ({
  variation_code,
  name,
  variation_amount,
  fixedPrice,
});

export const vtpassVariations: Readonly<Record<string, readonly Variation[]>> = {
  "mtn-data": [
    offer("mtn-10mb-100", "N100 100MB - 24 hrs", "100.00"),
    offer("mtn-100mb-1000", "N1000 1.5GB - 30 days", "1000.00"),
    offer("mtn-20hrs-1500", "N1500 6GB - 7 days", "1500.00"),
    offer("mtn-xtratalk-300", "MTN N300 Xtratalk Weekly Bundle", "300.00"),
  ],
  "airtel-data": [
    offer("airt-100", "Airtel Data Bundle - 100 Naira - 75MB - 1 Day", "100.00"),
    offer("airt-1000", "Airtel Data Bundle - 1,000 Naira - 1.5GB - 30 Days", "1000.00"),
  ],
  "glo-data": [offer("glo1000", "Glo Data N1000 -  2.5GB - 30 days", "1000.00")],
  "etisalat-data": [offer("eti-1000", "9mobile Data - 1000 Naira - 1.5GB - 30 days", "1000.00")],
  dstv: [
    offer("dstv-padi", "DStv Padi N4,400", "4400.00"),
    offer("dstv79", "DStv Compact N19,000", "19000.00"),
    offer("dstv-confam-extra", "DStv Confam + ExtraView N17,000", "17000.00"),
  ],
  gotv: [
    offer("gotv-max", "GOtv Max N8,500", "8500.00"),
    offer("gotv-smallie-3months", "GOtv Smallie - quarterly N5,100", "5100.00"),
    offer("gotv-smallie-1year", "GOtv Smallie - yearly N15,000", "15000.00"),
  ],
  startimes: [
    offer("nova", "Nova - 2,100 Naira - 1 Month", "2100.00"),
    offer("nova-weekly", "Nova - 700 Naira - 1Week", "700.00"),
    offer("nova-daily", "Nova - 90 Naira - 1 Day", "90.00"),
    offer("ewallet", "ewallet Amount", "0.00"),
  ],
};

export function servicesReply(identifier: string): unknown {
  return { response_description: "000", content: vtpassServices[identifier] ?? [] };
}

/** Spelled the new way, the old way or both. */
export type Spelling = "variations" | "varations" | "both";

export function variationsReply(serviceID: string, spelling: Spelling): unknown {
  const listed = vtpassVariations[serviceID];
  if (listed === undefined) return { code: "012", response_description: "PRODUCT DOES NOT EXIST", content: [] };
  const named = spelling === "both" ? { variations: listed, varations: listed } : { [spelling]: listed };
  return {
    response_description: "000",
    content: { ServiceName: serviceID, serviceID, convinience_fee: "N0", ...named },
  };
}
