import { Link } from "@tanstack/react-router";
import { useRoom } from "../api/place.ts";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { TextField } from "../parts/fields.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { AttentionPanel } from "./attention.tsx";
import { OperatorAllowed } from "./operator-allowed.tsx";

interface Environment {
  readonly id: string;
  readonly kind: "LIVE" | "SANDBOX";
  readonly name: string;
}

interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: string;
  readonly environments: readonly Environment[];
}

const merchants: ListDescription<Merchant> = {
  name: "merchants",
  path: "/merchants",
  rowKey: ({ id }) => id,
  filters: [],
  columns: [
    { title: "Merchant", cell: ({ name }) => <span className="font-medium">{name}</span> },
    { title: "E-mail", cell: ({ email }) => email },
    { title: "Environments", cell: ({ environments }) => <Environments environments={environments} /> },
    { title: "Since", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["name", ({ name }) => name],
    ["email", ({ email }) => email],
    ["created_at", ({ createdAt }) => createdAt],
  ],
  empty: { title: "No merchants yet", text: "Add the first one with the button above." },
};

function Environments({ environments }: { readonly environments: readonly Environment[] }) {
  const { at } = useRoom();
  return (
    <span className="flex flex-wrap gap-x-3">
      {environments.map(({ id, kind, name }) => (
        <Link key={id} to={at(`/environments/${id}`)} className="text-brand underline underline-offset-4">
          {`${kind} · ${name}`}
        </Link>
      ))}
    </span>
  );
}

export function MerchantsPage() {
  return (
    <div className="grid gap-4">
      <PageHead title="Merchants" about="The merchants on this server.">
        <OperatorAllowed change="merchants">
          <ActionButton
            label="Add a merchant"
            look="primary"
            about="It begins with a sandbox."
            fields={
              <>
                <TextField label="Name" name="name" required />
                <TextField label="E-mail" name="email" type="email" required />
              </>
            }
            request={(form) => ({ path: "/merchants", body: { name: form("name"), email: form("email") } })}
          />
        </OperatorAllowed>
      </PageHead>
      <AttentionPanel />
      <RecordList list={merchants} />
    </div>
  );
}
