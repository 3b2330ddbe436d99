import { type SelectHTMLAttributes, useState } from "react";
import { useRecord } from "../api/queries.ts";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { naira } from "../parts/figures.ts";
import type { Category } from "./bill-order.ts";

interface Named {
  readonly code: string;
  readonly name: string;
}

export function BillFields({ category }: { readonly category: Category }) {
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
        <TextField label="Customer id" name="customerId" required />
        <Amount />
      </>
    );
  }
  return (
    <>
      <Provider path="/bills/electricity/list" label="Company" name="provider" />
      <ChoiceField label="Meter type" name="meterType" required>
        <option value="prepaid">Prepaid</option>
        <option value="postpaid">Postpaid</option>
      </ChoiceField>
      <TextField label="Meter number" name="meterNumber" inputMode="numeric" required />
      <Phone />
      <Amount />
    </>
  );
}

const Phone = () => <TextField label="Phone number" name="phoneNumber" type="tel" placeholder="08031234567" required />;
const Amount = () => <TextField label="Amount in naira" name="amount" inputMode="decimal" placeholder="500" required />;

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
  return (
    <ChoiceField {...select} mistake={mistake} required>
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
  const [chosen, choose] = useState<string>();
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
  const [chosen, choose] = useState<string>();
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
      <TextField label="Smart card number" name="smartCardNumber" inputMode="numeric" required />
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
