/** The person's passkeys: on phones, laptops and security keys. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { addPasskey, canUsePasskeys } from "../api/passkeys.ts";
import { useRoom } from "../api/place.ts";
import { useRecord } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { Mistake } from "../parts/mistake.tsx";
import { Modal } from "../parts/modal.tsx";
import { Moment } from "../parts/moment.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { wordsFor } from "../shell/refusal-words.ts";
import { deviceOf } from "./device.ts";

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export function PasskeysPanel() {
  const query = useRecord<readonly Passkey[]>("/passkeys");
  const [open, setOpen] = useState(false);
  const add = canUsePasskeys() ? (
    <Button look={query.data?.length === 0 ? "primary" : "plain"} onClick={() => setOpen(true)}>
      Add a passkey
    </Button>
  ) : null;
  return (
    <Panel title="Passkeys" aside={add}>
      {query.isPending ? <Skeleton lines={2} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.data?.length === 0 ? (
        <p className="max-w-prose p-4 text-soft">
          None yet. A passkey is on your phone, laptop or security key. It signs you in with a fingerprint or a PIN:
          nothing to remember, and nothing that a false page could steal.
        </p>
      ) : null}
      <ul>
        {query.data?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      {open ? <AddWindow onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 last:border-0">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-xs text-soft">
          Added <Moment at={createdAt} />,{" "}
          {lastUsedAt === null ? (
            "not used yet"
          ) : (
            <>
              last used <Moment at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <ActionButton
        label="Remove"
        look="danger"
        about={`${name} opens nothing any more, and your other sessions end. Remove it from the device as well.`}
        request={() => ({ path: `/passkeys/${id}`, method: "DELETE" })}
      />
    </li>
  );
}

function AddWindow({ onClose }: { readonly onClose: () => void }) {
  const { key } = useRoom();
  const queries = useQueryClient();
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: [key] });
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.mutate(String(new FormData(event.currentTarget).get("name")).trim());
  };
  return (
    <Modal open onClose={onClose} title="Add a passkey" about="Your browser asks where to keep it, and who you are.">
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label="Name"
          name="name"
          defaultValue={deviceOf(navigator.userAgent)}
          maxLength={100}
          hint="To tell it from others, when a device is lost."
          required
        />
        <Mistake>{adding.isError ? wordsFor(adding.error) : undefined}</Mistake>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={adding.isPending}>
            {adding.isPending ? "Look at your device" : "Go on"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
