/** The codes of VTpass: which settle an order, and which stand for our account and not for the order. */
import type { HoldReason } from "../answer.ts";

export const processed = "000";
export const reversed = "040";
/** A question about a request id that was never used. */
export const neverSeen = "015";
/** The product is not on the list of what our account may sell. Everything else still sells. */
export const notOnOurList = "028";

/** The transaction failed, whoever tells it: the order or a later question. */
export const failedCodes: ReadonlyMap<string, string> = new Map([
  ["016", "The biller did not deliver."],
  ["091", "The biller did not process the order and charges nothing for it."],
]);

/** Refused before anything was bought. They say so in reply to an order only. */
export const refusalCodes: ReadonlyMap<string, string> = new Map([
  ["010", "The biller no longer sells this plan or package. Read the list again."],
  ["011", "The biller refused the order: one of its fields is wrong or missing."],
  ["012", "The biller no longer sells this product."],
  ["013", "The amount is below the biller's minimum."],
  ["017", "The amount is above the biller's maximum."],
  ["025", "The biller refused the recipient's bank."],
  ["026", "The biller refused the recipient's account."],
  ["030", "The provider could not be reached by the biller."],
  ["031", "The biller refused the quantity: it is too small."],
  ["032", "The biller refused the quantity: it is too large."],
  ["034", "The biller has switched this service off for now."],
  ["035", "The biller has switched this service off."],
  [notOnOurList, "This product is not sold here at the moment."],
  ["085", "The order reached the biller after the day of its id had ended. Nothing was charged; order it again."],
]);

/** Nothing sells until the operator has mended our account. */
export const holdCodes: ReadonlyMap<string, HoldReason> = new Map<string, HoldReason>([
  ["018", "float_empty"],
  ["021", "not_enabled"],
  ["022", "not_enabled"],
  ["023", "not_enabled"],
  ["024", "not_enabled"],
  ["027", "address_refused"],
  ["087", "keys_refused"],
]);
