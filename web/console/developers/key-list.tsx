/** The keys of an environment, by whoever looks after them. A secret is shown once, when it is made. */
import { useList } from "../api/queries.ts";
import { ActionButton, SecretOnce } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { Moment } from "../parts/moment.tsx";
import { MoreRows } from "../parts/more-rows.tsx";
import { Empty, Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly replacedBy: string | null;
}

interface Issued {
  readonly key: string;
}

export function keyState({ revokedAt, replacedBy }: Pick<Key, "revokedAt" | "replacedBy">): string {
  if (revokedAt !== null) return "revoked";
  return replacedBy === null ? "active" : "rotated";
}

/** `path` is where the keys are listed and made. */
export function IssueKey({ path }: { readonly path: string }) {
  return (
    <ActionButton<Issued>
      label="Issue a key"
      look="primary"
      about="For one of your programs. Grant only the scopes it needs."
      fields={
        <>
          <TextField label="Name" name="name" placeholder="Checkout server" required />
          <TextField
            label="Scopes"
            name="scopes"
            defaultValue="*"
            hint="Such as transfers:write, wallets:read. * is everything."
            required
          />
        </>
      }
      request={(form) => ({ path, body: { name: form("name"), scopes: listed(form("scopes")) } })}
      result={({ key }) => <SecretOnce secret={key} what="the key" />}
    />
  );
}

/** "transfers:write, wallets:read" as a list. */
export function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== "");
}

export function KeyList({ path }: { readonly path: string }) {
  const query = useList<Key>(path);
  const keys = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Panel title="Secret keys">
      {query.isPending ? <Skeleton lines={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && keys.length === 0 ? <Empty title="No keys">Nobody can call the API here yet.</Empty> : null}
      <ul>
        {keys.map((key) => (
          <KeyRow key={key.id} item={key} />
        ))}
      </ul>
      <MoreRows query={query} />
    </Panel>
  );
}

function KeyRow({ item }: { readonly item: Key }) {
  const state = keyState(item);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 last:border-0">
      <div className="min-w-0">
        <p className="font-medium">{item.name}</p>
        <p className="font-mono text-xs text-soft">{`${item.prefix}…  ${item.scopes.join(" ")}`}</p>
        <p className="text-xs text-soft">
          Last used <Moment at={item.lastUsedAt} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StatusChip status={state} />
        {state === "active" ? (
          <>
            <ActionButton<Issued>
              label="Rotate"
              about="A new key is made; the old one works for another day."
              request={() => ({ path: `/keys/${item.id}/rotate`, body: {} })}
              result={({ key }) => <SecretOnce secret={key} what="the key" />}
            />
            <ActionButton
              label="Revoke"
              look="danger"
              about="Jara refuses requests with this key from now on."
              request={() => ({ path: `/keys/${item.id}/revoke`, body: {} })}
            />
          </>
        ) : null}
      </div>
    </li>
  );
}
