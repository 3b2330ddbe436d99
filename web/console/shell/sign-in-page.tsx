/** The door: a passkey, e-mail and password with a second factor where there is one, or a one-time link. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiProblem } from "../../shared/call-api.ts";
import { peopleDoor, writeForReply } from "../api/client.ts";
import { canUsePasskeys, signInByPasskey } from "../api/passkeys.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { Mistake } from "../parts/mistake.tsx";
import { CodeField } from "./code-field.tsx";
import { wordsFor } from "./refusal-words.ts";
import { StillIn } from "./still-in.tsx";

interface SignInSearch {
  readonly token?: string;
  readonly to?: string;
  /** Somebody signed out, and the server could not be told. */
  readonly stayed?: boolean;
}

/** What a person came with, sent again with a code where they have an app. */
interface Entry {
  readonly path: "/sign-in" | "/sign-in-link";
  readonly body: Readonly<Record<string, string>>;
}

export function SignInPage() {
  const { token, to, stayed } = useSearch({ strict: false }) as SignInSearch;
  const { waiting, busy, mistake, attempt } = useAttempts(to);
  const used = useRef<string>(undefined);

  useEffect(() => {
    // A link works once; React may run an effect twice.
    if (token === undefined || used.current === token) return;
    used.current = token;
    attempt({ path: "/sign-in-link", body: { token } });
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    if (waiting !== undefined) return attempt({ ...waiting, body: { ...waiting.body, code: text("code") } });
    return attempt({ path: "/sign-in", body: { email: text("email"), password: String(form.get("password")) } });
  };

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="card grid w-full max-w-sm gap-5 p-6 shadow-xl">
        <Welcome title={busy && token !== undefined ? "Signing you in" : "Sign in"} />
        {stayed === true ? <StillIn /> : null}
        <Mistake>{mistake}</Mistake>
        <form onSubmit={submit} className="grid gap-4">
          {waiting === undefined ? <PasswordFields /> : <CodeField />}
          <Button type="submit" look="primary" disabled={busy} className="min-h-10">
            {busy ? "One moment" : "Sign in"}
          </Button>
        </form>
        {waiting === undefined && canUsePasskeys() ? (
          <Button disabled={busy} className="min-h-10" onClick={() => attempt(signInByPasskey)}>
            <Fingerprint aria-hidden="true" className="size-4" />
            Use a passkey
          </Button>
        ) : null}
        <p className="text-xs text-soft">
          On your own machine: <code className="font-mono">npm start</code> prints a link that signs you in once,
          without a password.
        </p>
      </div>
    </main>
  );
}

function useAttempts(to: string | undefined) {
  const [mistake, setMistake] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Entry>();
  const enter = useEnter(to);
  const attempt = async (entry: Entry | (() => Promise<void>)) => {
    setBusy(true);
    setMistake(undefined);
    try {
      if (typeof entry === "function") await entry();
      else await writeForReply(peopleDoor, entry.path, { body: entry.body });
      await enter();
    } catch (error) {
      if (isCodeNeeded(error) && typeof entry !== "function") setWaiting(entry);
      else setMistake(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return { waiting, busy, mistake, attempt };
}

function isCodeNeeded(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === "code_needed";
}

function Welcome({ title }: { readonly title: string }) {
  return (
    <header>
      <p className="mb-4 flex items-center gap-2 text-lg font-bold">
        <span aria-hidden="true" className="grid size-8 place-items-center rounded-lg bg-brand text-on-brand">
          J
        </span>
        Jara
      </p>
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="text-soft">See where the money is, and why.</p>
    </header>
  );
}

function PasswordFields() {
  return (
    <>
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
    </>
  );
}

function useEnter(to: string | undefined): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    queries.clear();
    await navigate({ to: safePath(to), replace: true });
  };
}

/** Only an address of the console: a link from elsewhere must not lead a person who just signed in somewhere else. */
export function safePath(to: string | undefined): string {
  return to !== undefined && /^\/(e|operator|join)(\/|$|\?)/.test(to) ? to : "/";
}
