/**
 * The twin of VTpass. It checks an order as VTpass does and refuses a wrong one in VTpass's words: keys, the date in
 * the request id, a used id, the same service for the same customer within 30 seconds, the wallet.
 */
import { kobo } from "../../src/money/kobo.ts";
import { lagosDate } from "../../src/platform/time/lagos-date.ts";
import { startTwin, type Twin, type TwinHandler } from "./twin.ts";
import { postHook, type TwinReply, type TwinRequest } from "./twin-wire.ts";
import { commissionOf, openVtpassBooks, type VtpassBooks, type VtpassState } from "./vtpass-books.ts";
import { type Spelling, servicesReply, variationsReply, vtpassServices, vtpassVariations } from "./vtpass-lists.ts";
import { coded, type TokenShape, transactionBody } from "./vtpass-replies.ts";

export const vtpassKeys = { apiKey: "api-key-of-the-twin", publicKey: "PK_of_the_twin", secretKey: "SK_of_the_twin" };

export interface VtpassTwinOptions {
  readonly port?: number;
  /** Where the twin's clock starts; it can be put forward in the books. */
  now?(): Date;
}

export interface VtpassTwin extends Twin {
  /** What a connection uses as its base address. */
  readonly baseUrl: string;
  readonly books: VtpassBooks;
  /** What becomes of the next orders, in turn. The rest is delivered. */
  readonly fates: VtpassState[];
  /** How tokens and lists are written. */
  readonly manner: { token: TokenShape; lists: Spelling };
  /** Tells a URL about a transaction as it stands, or as `change` would have it. Returns the status of the reply. */
  sendTransactionUpdate(url: string, requestId: string, change?: Readonly<Record<string, unknown>>): Promise<number>;
  sendVariationsUpdate(url: string, serviceID: string): Promise<number>;
}

export async function startVtpassTwin({
  port = 0,
  now = () => new Date(),
}: VtpassTwinOptions = {}): Promise<VtpassTwin> {
  const books = openVtpassBooks(now);
  const fates: VtpassState[] = [];
  const manner: VtpassTwin["manner"] = { token: "bare", lists: "variations" };
  const bodyOf = (requestId: string) => {
    const found = books.transactions.get(requestId);
    return found === undefined ? undefined : transactionBody(found, manner.token);
  };
  const toldOf = (requestId: string) => {
    const [found] = books.told.show([...books.transactions.values()].filter((one) => one.requestId === requestId));
    return found === undefined ? undefined : transactionBody(found, manner.token);
  };
  const twin = await startTwin({
    port,
    refuse: refuseKeys,
    nothingHere: { status: 404, body: "<html><body>404 | Not Found</body></html>" },
    routes: [
      {
        "GET /api/balance": () => ({
          status: 200,
          body: { code: 1, contents: { balance: Number(books.float) / 100 } },
        }),
        "GET /api/services": ({ query }) => ({ status: 200, body: servicesReply(query.get("identifier") ?? "") }),
        "GET /api/service-variations": ({ query }) => ({
          status: 200,
          body: variationsReply(query.get("serviceID") ?? "", manner.lists),
        }),
        "POST /api/merchant-verify": verify,
        "POST /api/pay": (request) => {
          const taken = pay(books, request, fates);
          return "status" in taken ? taken : { status: 200, body: bodyOf(taken.requestId) };
        },
        "POST /api/requery": ({ body }) => {
          const found = toldOf(String(body["request_id"] ?? ""));
          return found === undefined ? coded("015", "INVALID REQUEST ID") : { status: 200, body: found };
        },
      },
    ],
  });
  const send = (url: string, type: string, data: unknown) => postHook(url, JSON.stringify({ type, data }), {});
  return {
    ...twin,
    baseUrl: `${twin.url}/api`,
    books,
    fates,
    manner,
    sendTransactionUpdate: (url, requestId, change = {}) =>
      send(url, "transaction-update", { ...(bodyOf(requestId) ?? { requestId }), ...change }),
    sendVariationsUpdate: (url, serviceID) => send(url, "variations-update", variationsReply(serviceID, "both")),
  };
}

function refuseKeys({ method, headers }: TwinRequest): TwinReply | undefined {
  const second =
    method === "GET" ? headers["public-key"] === vtpassKeys.publicKey : headers["secret-key"] === vtpassKeys.secretKey;
  if (headers["api-key"] === vtpassKeys.apiKey && second) return undefined;
  return { status: 401, body: { code: "087", response_description: "INVALID CREDENTIALS", content: [] } };
}

/** All nines is a number that nobody has. */
const verify: TwinHandler = ({ body }) => {
  const { billersCode, serviceID, type } = body;
  if (typeof billersCode !== "string" || typeof serviceID !== "string") return coded("011", "INVALID ARGUMENTS");
  if (/^9+$/.test(billersCode)) {
    const error = `This is not a valid ${serviceID} number. Please check and try again`;
    return { status: 200, body: { code: "000", content: { error, WrongBillersCode: true } } };
  }
  const isMeter = serviceID.endsWith("-electric");
  if (isMeter && type !== "prepaid" && type !== "postpaid") return coded("011", "INVALID ARGUMENTS");
  const content = isMeter
    ? { Address: "ABULE EGBA BU ABULE", Meter_Number: billersCode, Min_Purchase_Amount: "1000", Can_Vend: "yes" }
    : {
        Status: "Open",
        Due_Date: "2026-12-01T00:00:00",
        Customer_Number: "48209000",
        Current_Bouquet: "DStv Padi N4,400",
        Current_Bouquet_Code: vtpassVariations[serviceID]?.[0]?.variation_code ?? "N/A",
        Renewal_Amount: 4400,
      };
  return {
    status: 200,
    body: { code: "000", content: { Customer_Name: "ADA OBI", WrongBillersCode: false, ...content } },
  };
};

const sameOrderMs = 30_000;

/** Takes an order into the books, or says why not. */
function pay(books: VtpassBooks, { body }: TwinRequest, fates: VtpassState[]): { requestId: string } | TwinReply {
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : "");
  const [requestId, serviceID, phone] = [text("request_id"), text("serviceID"), text("phone")];
  const today = String(lagosDate(books.now())).replaceAll("-", "");
  if (!/^\d{12}[0-9a-z]*$/i.test(requestId) || !requestId.startsWith(today)) {
    return coded("085", "IMPROPER REQUEST ID: DOES NOT CONTAIN PROPER DATE");
  }
  if (books.transactions.has(requestId)) return coded("014", "REQUEST ID ALREADY EXIST");
  const service = Object.values(vtpassServices)
    .flat()
    .find((one) => one.serviceID === serviceID);
  if (service === undefined) return coded("012", "PRODUCT DOES NOT EXIST");
  const isPhone = vtpassServices["airtime"]?.includes(service) === true;
  const billersCode = isPhone ? phone : text("billersCode");
  if (!/^0\d{10}$/.test(phone) || billersCode === "") return coded("011", "INVALID ARGUMENTS");
  const variation = vtpassVariations[serviceID]?.find(
    ({ variation_code }) => variation_code === text("variation_code"),
  );
  const isRenewal = body["subscription_type"] === "renew";
  if (vtpassVariations[serviceID] !== undefined && variation === undefined && !isRenewal) {
    return coded("010", "VARIATION CODE DOES NOT EXIST");
  }
  const naira = variation === undefined ? body["amount"] : Number(variation.variation_amount);
  if (typeof naira !== "number" || !Number.isInteger(naira)) return coded("011", "INVALID ARGUMENTS");
  if (naira < Number(service.minimium_amount)) return coded("013", "BELOW MINIMUM AMOUNT ALLOWED");
  if (naira > Number(service.maximum_amount)) return coded("017", "ABOVE MAXIMUM AMOUNT ALLOWED");
  const since = books.now().getTime() - sameOrderMs;
  const isLikely = [...books.transactions.values()].some(
    (one) => one.serviceID === serviceID && one.billersCode === billersCode && one.at.getTime() > since,
  );
  if (isLikely) return coded("019", "LIKELY DUPLICATE TRANSACTION");
  const amount = kobo(BigInt(naira) * 100n);
  if (books.float < amount - commissionOf(amount)) return coded("018", "LOW WALLET BALANCE");
  const state = fates.shift() ?? "delivered";
  books.book({ requestId, serviceID, billersCode, variationCode: text("variation_code"), amount, phone, state });
  return { requestId };
}
