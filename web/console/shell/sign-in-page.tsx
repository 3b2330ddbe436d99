/** The door: e-mail and password, a second factor where there is one, or the one-time link that a server printed. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { peopleDoor, writeForReply } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { wordsFor } from "./refusal-words.ts";

interface SignInSearch {
  readonly token?: string;
  readonly to?: string;
}

type Step = "password" | "code";

export function SignInPage() {
  const { token, to } = useSearch({ strict: false }) as SignInSearch;
  const { step, busy, mistake, attempt } = useAttempts(to);
  const used = useRef<string>(undefined);

  useEffect(() => {
    // A link works once; React may run an effect twice.
    if (token === undefined || used.current === token) return;
    used.current = token;
    attempt(() => signIn("/sign-in-link", { token }));
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    if (step === "code") return attempt(() => signIn("/auth/two-factor/verify-totp", { code: text("code") }));
    const password = String(form.get("password"));
    return attempt(() => signIn("/auth/sign-in/email", { email: text("email"), password }));
  };

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="card grid w-full max-w-sm gap-5 p-6 shadow-xl">
        <Welcome title={busy && token !== undefined ? "Signing you in" : "Sign in"} />
        {mistake === undefined ? null : (
          <p role="alert" className="rounded-lg bg-danger-tint p-3 text-sm text-danger">
            {mistake}
          </p>
        )}
        <form onSubmit={submit} className="grid gap-4">
          {step === "password" ? <PasswordFields /> : <CodeField />}
          <Button type="submit" look="primary" disabled={busy} className="min-h-10">
            {busy ? "One moment" : "Sign in"}
          </Button>
        </form>
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
  const [step, setStep] = useState<Step>("password");
  const enter = useEnter(to);
  const attempt = async (work: () => Promise<Record<string, unknown>>) => {
    setBusy(true);
    setMistake(undefined);
    try {
      const reply = await work();
      if (asksForCode(reply)) setStep("code");
      else await enter();
    } catch (error) {
      setMistake(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return { step, busy, mistake, attempt };
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

function CodeField() {
  return (
    <TextField
      label="Code from your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      hint="Six digits."
      required
    />
  );
}

function signIn(path: string, body: unknown): Promise<Record<string, unknown>> {
  return writeForReply(peopleDoor, path, { body });
}

function asksForCode(reply: Readonly<Record<string, unknown>>): boolean {
  return reply["twoFactorRedirect"] === true;
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
  return to !== undefined && /^\/(e|operator|account)(\/|$|\?)/.test(to) ? to : "/";
}
