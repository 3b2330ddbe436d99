import { useRecord } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { deviceOf } from "./device.ts";

interface Session {
  readonly id: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly signedInAt: string;
  readonly expiresAt: string;
  readonly current: boolean;
}

export function SessionsPanel() {
  const query = useRecord<readonly Session[]>("/sessions");
  return (
    <Panel
      title="Where you are signed in"
      aside={
        <ActionButton
          label="Sign out everywhere else"
          about="Every other session of yours ends at once."
          confirm="Sign out elsewhere"
          request={() => ({ path: "/sessions", method: "DELETE" })}
        />
      }
    >
      {query.isPending ? <Skeleton lines={2} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      <ul>
        {query.data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Panel>
  );
}

function SessionRow({ session }: { readonly session: Session }) {
  const device = deviceOf(session.userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 last:border-0">
      <div className="min-w-0">
        <p className="font-medium">{device}</p>
        <p className="text-xs text-soft">
          {session.address ?? "unknown address"}, since <Moment at={session.signedInAt} />
        </p>
      </div>
      {session.current ? (
        <p className="rounded-full bg-brand-tint px-2.5 py-0.5 text-xs font-semibold text-brand-strong">This one</p>
      ) : (
        <ActionButton
          label="End"
          look="danger"
          about={`${device} is signed out at once.`}
          request={() => ({ path: `/sessions/${session.id}`, method: "DELETE" })}
        />
      )}
    </li>
  );
}
