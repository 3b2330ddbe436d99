import { useState } from "react";
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
  const { data = [] } = useRecord<Named[]>(path);
  return (
    <ChoiceField label={label} name={name} onChange={({ target }) => onChoose?.(target.value)} required>
      {data.map(({ code, name: shown }) => (
        <option key={code} value={code}>
          {shown}
        </option>
      ))}
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
      <Offers label="Plan" name="planCode" offers={plans.data ?? []} />
    </>
  );
}

/** The list of packages names their providers; there is no other list of them. */
function TvFields() {
  const { data = [] } = useRecord<Offer[]>("/bills/tv/list");
  const providers = [...new Set(data.flatMap(({ provider }) => (provider === undefined ? [] : [provider])))];
  const [chosen, choose] = useState<string>();
  const provider = chosen ?? providers[0];
  return (
    <>
      <ChoiceField label="Provider" name="provider" onChange={({ target }) => choose(target.value)} required>
        {providers.map((one) => (
          <option key={one} value={one}>
            {one.toUpperCase()}
          </option>
        ))}
      </ChoiceField>
      <TextField label="Smart card number" name="smartCardNumber" inputMode="numeric" required />
      <Offers label="Package" name="packageCode" offers={data.filter((offer) => offer.provider === provider)} />
      <Phone />
    </>
  );
}

interface OffersProps {
  readonly label: string;
  readonly name: "planCode" | "packageCode";
  readonly offers: readonly Offer[];
}

function Offers({ label, name, offers }: OffersProps) {
  return (
    <ChoiceField label={label} name={name} required>
      {offers.map((offer) => (
        <option key={offer[name]} value={offer[name]}>
          {`${offer.name}, ${naira(offer.amount)}`}
        </option>
      ))}
    </ChoiceField>
  );
}
