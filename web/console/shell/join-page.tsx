/** Where the link of an invitation leads: who it is from, then an account, or the one that the person has already. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { peopleDoor, write } from "../api/client.ts";
import { meQuery } from "../api/me.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import { wordsFor } from "./refusal-words.ts";

interface Open {
  readonly merchantName: string;
  readonly email: string;
  readonly role: string;
  readonly hasAccount: boolean;
}

const alert = "rounded-lg bg-danger-tint p-3 text-sm text-danger";

export function JoinPage() {
  const { token = "" } = useSearch({ strict: false }) as { token?: string };
  const query = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => write<Open>(peopleDoor, "/invitations/look", { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="card grid w-full max-w-sm gap-5 p-6 shadow-xl">
        <h1 className="text-xl font-semibold">
          {query.isSuccess ? `Join ${query.data.merchantName}` : "An invitation"}
        </h1>
        {query.isPending ? <p role="status">One moment.</p> : null}
        {query.isError ? (
          <p role="alert" className={alert}>
            {wordsFor(query.error)}
          </p>
        ) : null}
        {query.isSuccess ? <Invited token={token} open={query.data} /> : null}
      </div>
    </main>
  );
}

function Invited({ token, open }: { readonly token: string; readonly open: Open }) {
  const { data: me } = useQuery(meQuery);
  const isThem = open.hasAccount && me?.user.email === open.email;
  return (
    <>
      <p>
        As <strong>{words(open.role)}</strong>, with the address <strong className="break-all">{open.email}</strong>.
      </p>
      {open.hasAccount && !isThem ? (
        <p>
          You have an account already.{" "}
          <Link to="/sign-in" search={{ to: `/join?token=${token}` }} className="text-brand underline">
            Sign in
          </Link>{" "}
          with this address, and you come back here.
        </p>
      ) : (
        <JoinForm token={token} isThem={isThem} />
      )}
    </>
  );
}

function JoinForm({ token, isThem }: { readonly token: string; readonly isThem: boolean }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [mistake, setMistake] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const path = isThem ? "/invitations/accept" : "/invitations/join";
    const account = { name: String(form.get("name")), newPassword: String(form.get("newPassword")) };
    setBusy(true);
    setMistake(undefined);
    try {
      await write(peopleDoor, path, { body: { token, ...(isThem ? {} : account) } });
      queries.clear();
      await navigate({ to: "/", replace: true });
    } catch (error) {
      setMistake(wordsFor(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {mistake === undefined ? null : (
        <p role="alert" className={alert}>
          {mistake}
        </p>
      )}
      {isThem ? null : <AccountFields />}
      <Button type="submit" look="primary" disabled={busy} className="min-h-10">
        {busy ? "One moment" : "Join"}
      </Button>
    </form>
  );
}

function AccountFields() {
  return (
    <>
      <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required />
      <TextField
        label="Choose a password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        hint="At least twelve characters. Long is what counts: four words are good."
        required
      />
    </>
  );
}
