import { createContext, type InputHTMLAttributes, type SelectHTMLAttributes, useContext, useState } from "react";
import { useRecord } from "../api/queries.ts";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { naira } from "../parts/figures.ts";
import type { Category, Form } from "./bill-order.ts";

interface Named {
  readonly code: string;
  readonly name: string;
}

/** What was filled in before: who goes back from the last step finds the form as they left it. */
const Before = createContext<Form>({});
const useBefore = (name: string): string | undefined => useContext(Before)[name];

interface BillFieldsProps {
  readonly category: Category;
  readonly before: Form;
}

export function BillFields({ category, before }: BillFieldsProps) {
  return (
    <Before value={before}>
      <FieldsOf category={category} />
    </Before>
  );
}

function FieldsOf({ category }: Pick<BillFieldsProps, "category">) {
  if (category === "airtime") {
    return (
      <>
        <Provider path="/bills/networks" label="Network" name="network" />
        <Phone />
        <Amount />
      </>
    );
  }
  if (category === "data") return <DataFields />;
  if (category === "tv") return <TvFields />;
  if (category === "betting") {
    return (
      <>
        <Provider path="/bills/betting/list" label="Bookmaker" name="provider" />
        <Line label="Customer id" name="customerId" />
        <Amount />
      </>
    );
  }
  return <ElectricityFields />;
}

function ElectricityFields() {
  return (
    <>
      <Provider path="/bills/electricity/list" label="Company" name="provider" />
      <ChoiceField label="Meter type" name="meterType" defaultValue={useBefore("meterType")} required>
        <option value="prepaid">Prepaid</option>
        <option value="postpaid">Postpaid</option>
      </ChoiceField>
      <Line label="Meter number" name="meterNumber" inputMode="numeric" />
      <Phone />
      <Amount />
    </>
  );
}

interface LineProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly name: string;
}

function Line(props: LineProps) {
  return <TextField {...props} defaultValue={useBefore(props.name)} required />;
}

const Phone = () => <Line label="Phone number" name="phoneNumber" type="tel" placeholder="08031234567" />;
const Amount = () => <Line label="Amount in naira" name="amount" inputMode="decimal" placeholder="500" />;

interface ProviderProps {
  readonly path: string;
  readonly label: string;
  readonly name: string;
  readonly onChoose?: (code: string) => void;
}

function Provider({ path, label, name, onChoose }: ProviderProps) {
  const list = useRecord<Named[]>(path);
  return (
    <ListField label={label} name={name} list={list} onChange={({ target }) => onChoose?.(target.value)}>
      {list.data?.map(({ code, name: shown }) => (
        <option key={code} value={code}>
          {shown}
        </option>
      ))}
    </ListField>
  );
}

interface ListFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
  readonly name: string;
  readonly list: { readonly data: unknown; readonly isError: boolean };
}

/** A choice out of a list that has to be fetched. Until it is there the form cannot be sent, and the field says why. */
function ListField({ list, children, ...select }: ListFieldProps) {
  const mistake = list.isError ? "This list could not be fetched. Close this window and try again." : undefined;
  const isThere = list.data !== undefined;
  return (
    // What was chosen before can be chosen once it is in the list.
    <ChoiceField key={String(isThere)} {...select} defaultValue={useBefore(select.name)} mistake={mistake} required>
      {list.data === undefined ? <option value="">{list.isError ? "No list" : "One moment"}</option> : children}
    </ChoiceField>
  );
}

interface Offer {
  readonly planCode?: string;
  readonly packageCode?: string;
  readonly provider?: string;
  readonly name: string;
  readonly amount: number;
}

function DataFields() {
  const networks = useRecord<Named[]>("/bills/networks");
  const [chosen, choose] = useState(useBefore("network"));
  const network = chosen ?? networks.data?.[0]?.code;
  const plans = useRecord<Offer[]>("/bills/data/list", {
    params: { network },
    enabled: network !== undefined,
  });
  return (
    <>
      <Provider path="/bills/networks" label="Network" name="network" onChoose={choose} />
      <Phone />
      <Offers label="Plan" name="planCode" list={plans} offers={plans.data ?? []} />
    </>
  );
}

/** The list of packages names their providers; there is no other list of them. */
function TvFields() {
  const list = useRecord<Offer[]>("/bills/tv/list");
  const { data = [] } = list;
  const providers = [...new Set(data.flatMap(({ provider }) => (provider === undefined ? [] : [provider])))];
  const [chosen, choose] = useState(useBefore("provider"));
  const provider = chosen ?? providers[0];
  return (
    <>
      <ListField label="Provider" name="provider" list={list} onChange={({ target }) => choose(target.value)}>
        {providers.map((one) => (
          <option key={one} value={one}>
            {one.toUpperCase()}
          </option>
        ))}
      </ListField>
      <Line label="Smart card number" name="smartCardNumber" inputMode="numeric" />
      <Offers
        label="Package"
        name="packageCode"
        list={list}
        offers={data.filter((offer) => offer.provider === provider)}
      />
      <Phone />
    </>
  );
}

interface OffersProps {
  readonly label: string;
  readonly name: "planCode" | "packageCode";
  readonly list: ListFieldProps["list"];
  readonly offers: readonly Offer[];
}

function Offers({ label, name, list, offers }: OffersProps) {
  return (
    <ListField label={label} name={name} list={list}>
      {offers.map((offer) => (
        <option key={offer[name]} value={offer[name]}>
          {`${offer.name}, ${naira(offer.amount)}`}
        </option>
      ))}
    </ListField>
  );
}
