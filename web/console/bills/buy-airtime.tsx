import { useRecord } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { typedNaira } from "../parts/figures.ts";

interface Network {
  readonly code: string;
  readonly name: string;
}

export function BuyAirtime({ isLive }: { readonly isLive: boolean }) {
  const networks = useRecord<Network[]>("/bills/networks");
  return (
    <ActionButton
      label="Buy airtime"
      look="primary"
      about={isLive ? "Real money leaves your wallet." : "Simulated money leaves the sandbox's wallet."}
      fields={
        <>
          <ChoiceField label="Network" name="network" required>
            {(networks.data ?? []).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </ChoiceField>
          <TextField label="Phone number" name="phoneNumber" type="tel" placeholder="08031234567" required />
          <TextField label="Amount in naira" name="amount" inputMode="decimal" placeholder="500" required />
        </>
      }
      request={(form) => ({
        path: "/bills/airtime/vend",
        body: {
          network: form("network"),
          phoneNumber: form("phoneNumber"),
          amount: typedNaira(form("amount")),
          reference: `console-${crypto.randomUUID()}`,
        },
      })}
    />
  );
}
