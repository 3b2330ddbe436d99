/** A person's own page: name, passkeys, password, authenticator app, and where they are signed in. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Me, meQuery } from "../api/me.ts";
import { PeopleRoom } from "../api/people-room.tsx";
import { useAction } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Failure } from "../parts/states.tsx";
import { AuthenticatorPanel } from "./authenticator-panel.tsx";
import { PasskeysPanel } from "./passkeys-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

export function AccountPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <PeopleRoom>
      <div className="grid max-w-3xl gap-4">
        <PageHead title="Your account" about={me.user.email} />
        <NamePanel me={me} />
        <PasskeysPanel />
        <PasswordPanel me={me} />
        <AuthenticatorPanel me={me} />
        <SessionsPanel />
      </div>
    </PeopleRoom>
  );
}

function NamePanel({ me }: { readonly me: Me }) {
  const action = useAction();
  const [saved, setSaved] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    const request = { path: "/me", method: "PATCH", body: { name } } as const;
    action.mutate(request, { onSuccess: () => setSaved(true) });
  };
  return (
    <Panel title="Name">
      <form onSubmit={submit} onChange={() => setSaved(false)} className="flex flex-wrap items-end gap-3 p-4">
        <div className="min-w-56 flex-1">
          <TextField label="As colleagues see it" name="name" defaultValue={me.user.name} maxLength={200} required />
        </div>
        <Button type="submit" disabled={action.isPending}>
          Save
        </Button>
        {saved ? (
          <p role="status" className="self-center text-soft">
            Saved.
          </p>
        ) : null}
      </form>
      {action.isError ? <Failure error={action.error} /> : null}
    </Panel>
  );
}

function PasswordPanel({ me }: { readonly me: Me }) {
  const { hasPassword } = me.user;
  return (
    <Panel title="Password">
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <p className="text-soft">
          {hasPassword
            ? "You sign in with it, and confirm with it what is dangerous."
            : "You have none yet: you came by a link."}
        </p>
        <ActionButton
          label={hasPassword ? "Change password" : "Choose a password"}
          look={hasPassword ? "plain" : "primary"}
          about="At least twelve characters. Your other sessions end."
          fields={
            <>
              {hasPassword ? (
                <TextField
                  label="Current password"
                  name="password"
                  type="password"
                  autoComplete="current-password"
                  required
                />
              ) : null}
              <TextField
                label="New password"
                name="newPassword"
                type="password"
                autoComplete="new-password"
                minLength={12}
                maxLength={256}
                hint="Long is what counts: four words are good."
                required
              />
            </>
          }
          request={(_, raw) => ({
            path: "/password",
            body: { newPassword: raw("newPassword"), ...(hasPassword ? { password: raw("password") } : {}) },
          })}
        />
      </div>
    </Panel>
  );
}
