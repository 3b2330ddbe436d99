/** Who works for the merchant. Owners invite, change roles and remove; everybody sees. */

import { PeopleRoom } from "../api/people-room.tsx";
import { useEnvironment } from "../api/place.ts";
import { useRecord } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { roles } from "./roles.ts";

interface Member {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly since: string;
  readonly twoFactorEnabled: boolean;
  readonly you: boolean;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly expiresAt: string;
  readonly invitedBy: string | null;
}

interface Team {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

export function TeamPage() {
  const { place } = useEnvironment();
  return (
    <PeopleRoom>
      <TeamOf merchantId={place.merchant.id} isOwner={place.merchant.role === "owner"} name={place.merchant.name} />
    </PeopleRoom>
  );
}

interface TeamOfProps {
  readonly merchantId: string;
  readonly isOwner: boolean;
  readonly name: string;
}

function TeamOf({ merchantId, isOwner, name }: TeamOfProps) {
  const base = `/merchants/${merchantId}`;
  const query = useRecord<Team>(`${base}/team`);
  return (
    <div className="grid gap-4">
      <PageHead title="Team" about={`Who works for ${name}, in all its environments.`}>
        {isOwner ? <Invite base={base} /> : null}
      </PageHead>
      {query.isPending ? <Skeleton /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess ? (
        <>
          <Panel title="People">
            <ul>
              {query.data.members.map((member) => (
                <MemberRow key={member.personId} base={base} member={member} isOwner={isOwner} />
              ))}
            </ul>
          </Panel>
          {query.data.invitations.length === 0 ? null : (
            <Panel title="Invited">
              <ul>
                {query.data.invitations.map((invitation) => (
                  <InvitationRow key={invitation.id} base={base} invitation={invitation} isOwner={isOwner} />
                ))}
              </ul>
            </Panel>
          )}
        </>
      ) : null}
    </div>
  );
}

function RoleField({ role }: { readonly role?: string }) {
  return (
    <ChoiceField label="Role" name="role" defaultValue={role ?? "viewer"}>
      {Object.entries(roles).map(([name, may]) => (
        <option key={name} value={name}>
          {`${words(name)}: ${may}`}
        </option>
      ))}
    </ChoiceField>
  );
}

function Invite({ base }: { readonly base: string }) {
  return (
    <ActionButton<Invitation & { readonly link: string }>
      label="Invite"
      look="primary"
      about="You get a link to pass on. It works once, within seven days."
      confirm="Make the link"
      fields={
        <>
          <TextField label="E-mail" name="email" type="email" autoComplete="off" required />
          <RoleField />
        </>
      }
      request={(form) => ({ path: `${base}/invitations`, body: { email: form("email"), role: form("role") } })}
      result={({ email, link }) => (
        <div className="grid gap-3">
          <p>
            Send this link to <strong>{email}</strong> and to nobody else: whoever opens it first joins. It is not shown
            again.
          </p>
          <input className="field font-mono" readOnly value={link} aria-label="The link" />
          <div>
            <CopyButton text={link} label="Copy the link" />
          </div>
        </div>
      )}
    />
  );
}

const row = "flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 last:border-0";

interface MemberRowProps {
  readonly base: string;
  readonly member: Member;
  readonly isOwner: boolean;
}

function MemberRow({ base, member, isOwner }: MemberRowProps) {
  const path = `${base}/team/${member.personId}`;
  return (
    <li className={row}>
      <div className="min-w-0">
        <p className="font-medium break-words">
          {member.name}
          {member.you ? <span className="font-normal text-soft"> (you)</span> : null}
        </p>
        <p className="text-xs break-all text-soft">{member.email}</p>
        <p className="text-xs text-soft">
          Since <Moment at={member.since} />
          {member.twoFactorEnabled ? ", with an authenticator app" : ", without an authenticator app"}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="rounded-full bg-sunken px-2.5 py-0.5 text-xs font-semibold">{words(member.role)}</span>
        {isOwner ? (
          <>
            <ActionButton
              label="Change role"
              about={`What ${member.name} may do, from the next request on.`}
              fields={<RoleField role={member.role} />}
              request={(form) => ({ path, method: "PATCH", body: { role: form("role") } })}
            />
            <ActionButton
              label="Remove"
              look="danger"
              about={`${member.name} is put out at once, and links that they made end.`}
              request={() => ({ path, method: "DELETE" })}
            />
          </>
        ) : null}
      </div>
    </li>
  );
}

interface InvitationRowProps {
  readonly base: string;
  readonly invitation: Invitation;
  readonly isOwner: boolean;
}

function InvitationRow({ base, invitation, isOwner }: InvitationRowProps) {
  return (
    <li className={row}>
      <div className="min-w-0">
        <p className="font-medium break-all">{invitation.email}</p>
        <p className="text-xs text-soft">
          Until <Moment at={invitation.expiresAt} />
          {invitation.invitedBy === null ? "" : `, by ${invitation.invitedBy}`}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="rounded-full bg-sunken px-2.5 py-0.5 text-xs font-semibold">{words(invitation.role)}</span>
        {isOwner ? (
          <ActionButton
            label="Withdraw"
            about="The link stops working."
            request={() => ({ path: `${base}/invitations/${invitation.id}`, method: "DELETE" })}
          />
        ) : null}
      </div>
    </li>
  );
}
