import { TextField } from "../shared/text-field.tsx";
import { type Complaints, fieldNames } from "./refused-order.ts";
import type { Shopper } from "./shop-api.ts";

interface ShopperFieldsProps {
  readonly shopper: Shopper;
  readonly complaints: Complaints;
  onChange(shopper: Shopper): void;
}

export function ShopperFields({ shopper, complaints, onChange }: ShopperFieldsProps) {
  const field = (name: keyof Shopper) => ({
    id: name,
    label: fieldNames[name],
    value: shopper[name],
    complaint: complaints[name],
    onInput: (value: string) => onChange({ ...shopper, [name]: value }),
  });
  return (
    <div className="shopper">
      <h2>Who is buying?</h2>
      <div className="field-row">
        <TextField {...field("firstName")} autoComplete="given-name" />
        <TextField {...field("lastName")} autoComplete="family-name" />
      </div>
      <TextField {...field("email")} type="email" inputMode="email" autoComplete="email" />
      <TextField {...field("phone")} type="tel" inputMode="tel" autoComplete="tel" />
      <TextField {...field("bvn")} inputMode="numeric" autoComplete="off" hint="Bank verification number, 11 digits" />
    </div>
  );
}
