/** Those who run the service. Admins let people in, change roles and remove; the others see. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { meQuery } from "../api/me.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { Empty } from "../parts/states.tsx";

interface OperatorPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operatorRole: keyof typeof roles;
  readonly twoFactorEnabled: boolean;
  readonly since: string;
  readonly lastSeenAt: string | null;
}

const roles = {
  admin: "everything",
  support: "customers, identity checks, revoking keys",
  reconciliation: "unknown payments, reconciliation, suspense",
} as const;

export function OperatorPeoplePage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const isAdmin = me.operator?.role === "admin";
  return (
    <div className="grid gap-4">
      <PageHead title="People" about="The operators of this server. Merchants' people are on their own teams.">
        {isAdmin ? <LetIn /> : null}
      </PageHead>
      <Panel title="The operator's people">
        <RecordView<readonly OperatorPerson[]> path="/people">
          {(people) =>
            people.length === 0 ? (
              <Empty title="No people yet">Whoever has the operator's token lets the first admin in.</Empty>
            ) : (
              <ul>
                {people.map((person) => (
                  <PersonRow key={person.id} person={person} isAdmin={isAdmin} isYou={person.id === me.user.id} />
                ))}
              </ul>
            )
          }
        </RecordView>
      </Panel>
    </div>
  );
}

function RoleField({ role = "support" }: { readonly role?: string }) {
  return (
    <ChoiceField label="Role" name="role" defaultValue={role}>
      {Object.entries(roles).map(([name, may]) => (
        <option key={name} value={name}>
          {`${words(name)}: ${may}`}
        </option>
      ))}
    </ChoiceField>
  );
}

function LetIn() {
  return (
    <ActionButton<{ readonly email: string; readonly signInLink: string }>
      label="Invite operator"
      look="primary"
      about="You get a link to pass on. It works once, within twelve hours."
      confirm="Make the link"
      fields={
        <>
          <TextField label="Name" name="name" autoComplete="off" required />
          <TextField label="E-mail" name="email" type="email" autoComplete="off" required />
          <RoleField />
        </>
      }
      request={(form) => ({
        path: "/people",
        body: { name: form("name"), email: form("email"), operatorRole: form("role") },
      })}
      result={({ email, signInLink }) => (
        <div className="grid gap-3">
          <p>
            Send this link to <strong>{email}</strong> and to nobody else: whoever opens it is that person. It is not
            shown again.
          </p>
          <input className="field font-mono" readOnly value={signInLink} aria-label="The link" />
          <div>
            <CopyButton text={signInLink} label="Copy the link" />
          </div>
        </div>
      )}
    />
  );
}

interface PersonRowProps {
  readonly person: OperatorPerson;
  readonly isAdmin: boolean;
  readonly isYou: boolean;
}

function PersonRow({ person, isAdmin, isYou }: PersonRowProps) {
  const path = `/people/${person.id}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 last:border-0">
      <div className="min-w-0">
        <p className="font-medium break-words">
          {person.name}
          {isYou ? <span className="font-normal text-soft"> (you)</span> : null}
        </p>
        <p className="text-xs break-all text-soft">{person.email}</p>
        <p className="text-xs text-soft">
          Since <Moment at={person.since} />
          {person.lastSeenAt === null ? ", not signed in" : ", signed in"}
          {person.twoFactorEnabled ? ", with an authenticator app" : ", without an authenticator app"}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="rounded-full bg-sunken px-2.5 py-0.5 text-xs font-semibold">{words(person.operatorRole)}</span>
        {isAdmin ? (
          <>
            <ActionButton
              label="Change role"
              about={`What ${person.name} may do, from the next request on.`}
              fields={<RoleField role={person.operatorRole} />}
              request={(form) => ({ path, method: "PATCH", body: { operatorRole: form("role") } })}
            />
            <ActionButton
              label="Remove"
              look="danger"
              about={`${person.name} is signed out everywhere, at once.`}
              request={() => ({ path, method: "DELETE" })}
            />
          </>
        ) : null}
      </div>
    </li>
  );
}
