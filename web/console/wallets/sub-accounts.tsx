import type { SubAccount } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import { Panel } from "../parts/facts.tsx";
import { Money } from "../parts/money.tsx";
import { MoreRows } from "../parts/more-rows.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";

export function SubAccounts() {
  const query = useList<SubAccount>("/wallets/sub-accounts");
  const accounts = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Panel title="Sub-accounts">
      {query.isPending ? <Skeleton lines={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && accounts.length === 0 ? (
        <p className="p-4 text-soft">
          None. A sub-account has a number of its own that customers pay into: <code>npx jara wallets create</code>.
        </p>
      ) : null}
      <div className="max-h-48 overflow-y-auto">
        <ul>
          {accounts.map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
        </ul>
        <MoreRows query={query} />
      </div>
    </Panel>
  );
}

function AccountRow({
  account: { id, accountName, accountNumber, bankName, balance },
}: {
  readonly account: SubAccount;
}) {
  const { at } = useEnvironment();
  return (
    <li className="flex justify-between gap-4 border-b border-line px-4 py-2 last:border-0">
      <span className="min-w-0">
        <Link to={at("/wallets")} search={{ accountId: id }} className="text-brand underline underline-offset-4">
          {accountName}
        </Link>
        <span className="block text-xs text-soft">{`${accountNumber} · ${bankName}`}</span>
      </span>
      <Money amount={balance} />
    </li>
  );
}
