/** What the chip of a filter says: "Status: Failed, Reversed". */
import type { Bank } from "@jara/sdk";
import { plainAmount } from "../../shared/naira.ts";
import { lagosDay, naira, words } from "../parts/figures.ts";
import type { Filter } from "./description.ts";

export function chipText(filter: Filter, value: string, banks: readonly Bank[]): string {
  return `${filter.label}: ${valueText(filter, value, banks)}`;
}

/** What the address holds may be anything; what cannot be read stands as it is. */
function valueText({ kind }: Filter, value: string, banks: readonly Bank[]): string {
  if (kind === "choice") return words(value);
  if (kind === "choices") return value.split(",").map(words).join(", ");
  if (kind === "bank") return banks.find(({ code }) => code === value)?.name ?? value;
  if (kind === "day") return Number.isNaN(Date.parse(value)) ? value : lagosDay(value);
  const amount = Number(plainAmount(value));
  return kind === "amount" && Number.isFinite(amount) ? naira(amount) : value;
}
