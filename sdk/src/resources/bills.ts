import type {
  AirtimeOrder,
  BettingCustomer,
  BettingOrder,
  BettingProvider,
  Bill,
  BillCategory,
  DataOrder,
  DataPlan,
  ElectricityCustomer,
  ElectricityOrder,
  ElectricityProvider,
  ListBillsQuery,
  ListDataPlansQuery,
  ListTvPackagesQuery,
  Network,
  PhoneCustomer,
  TvCustomer,
  TvOrder,
  TvPackage,
  ValidateAirtimeNumberBody,
  ValidateBettingCustomerBody,
  ValidateDataNumberBody,
  ValidateElectricityCustomerBody,
  ValidateTvCustomerBody,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";
import { type WaitOptions, waitUntil } from "../calling/wait-until.ts";

const isFinal = ({ status }: Bill): boolean => status !== "pending" && status !== "processing";

/** Airtime, data, electricity, TV and betting: discover, validate where it is asked for, vend, reconcile. */
export function bills({ call, list }: Pick<Caller, "call" | "list">) {
  const get = (id: string, options?: CallOptions): Promise<Bill> => call("GET /bills/{id}", { path: { id } }, options);
  return {
    get,
    /** Finds a bill by your own reference, from the moment it was accepted. */
    getByReference: (reference: string, options?: CallOptions): Promise<Bill> =>
      call("POST /bills/status", { body: { reference } }, options),
    list: (query: ListBillsQuery = {}, options?: CallOptions): List<Bill> => list("GET /bills", { query }, options),
    /** Waits for `successful`, `failed` or `reversed`. A successful bill can still be reversed by the biller. */
    waitUntilFinal: (id: string, options: WaitOptions = {}): Promise<Bill> =>
      waitUntil((timeoutMs) => get(id, { signal: options.signal, timeoutMs }), isFinal, options),
    listCategories: (options?: CallOptions): Promise<BillCategory[]> => call("GET /bills/catalogs", {}, options),
    listNetworks: (options?: CallOptions): Promise<Network[]> => call("GET /bills/networks", {}, options),
    ...byCategory({ call }),
  };
}

function byCategory({ call }: Pick<Caller, "call">) {
  return {
    airtime: {
      /** Optional: whose number it is. */
      validate: (number: ValidateAirtimeNumberBody, options?: CallOptions): Promise<PhoneCustomer> =>
        call("POST /bills/airtime/validate", { body: number }, options),
      vend: (order: AirtimeOrder, options?: CallOptions): Promise<Bill> =>
        call("POST /bills/airtime/vend", { body: order }, options),
    },
    data: {
      listPlans: (query: ListDataPlansQuery = {}, options?: CallOptions): Promise<DataPlan[]> =>
        call("GET /bills/data/list", { query }, options),
      /** Optional: whose number it is. */
      validate: (number: ValidateDataNumberBody, options?: CallOptions): Promise<PhoneCustomer> =>
        call("POST /bills/data/validate", { body: number }, options),
      vend: (order: DataOrder, options?: CallOptions): Promise<Bill> =>
        call("POST /bills/data/vend", { body: order }, options),
    },
    electricity: {
      listProviders: (options?: CallOptions): Promise<ElectricityProvider[]> =>
        call("GET /bills/electricity/list", {}, options),
      /** Optional: whose meter it is. */
      validate: (meter: ValidateElectricityCustomerBody, options?: CallOptions): Promise<ElectricityCustomer> =>
        call("POST /bills/electricity/validate", { body: meter }, options),
      /** The final bill has the `token` of a prepaid meter. */
      vend: (order: ElectricityOrder, options?: CallOptions): Promise<Bill> =>
        call("POST /bills/electricity/vend", { body: order }, options),
    },
    tv: {
      listPackages: (query: ListTvPackagesQuery = {}, options?: CallOptions): Promise<TvPackage[]> =>
        call("GET /bills/tv/list", { query }, options),
      /** Needed within 30 minutes before `vend`, and again after a vend that changed the card's package. */
      validate: (card: ValidateTvCustomerBody, options?: CallOptions): Promise<TvCustomer> =>
        call("POST /bills/tv/validate", { body: card }, options),
      vend: (order: TvOrder, options?: CallOptions): Promise<Bill> =>
        call("POST /bills/tv/vend", { body: order }, options),
    },
    betting: {
      listProviders: (options?: CallOptions): Promise<BettingProvider[]> =>
        call("GET /bills/betting/list", {}, options),
      /** Needed within 30 minutes before `vend`. */
      validate: (customer: ValidateBettingCustomerBody, options?: CallOptions): Promise<BettingCustomer> =>
        call("POST /bills/betting/validate", { body: customer }, options),
      vend: (order: BettingOrder, options?: CallOptions): Promise<Bill> =>
        call("POST /bills/betting/vend", { body: order }, options),
    },
  };
}
