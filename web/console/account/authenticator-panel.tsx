/** The second factor: an app on a phone, and codes on paper for when the phone is gone. */
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import type { Me } from "../api/me.ts";
import { useAction } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { counted } from "../parts/figures.ts";
import { Modal } from "../parts/modal.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";

const QrCode = lazy(() => import("./qr-code.tsx").then((module) => ({ default: module.QrCode })));

interface Begun {
  readonly secret: string;
  readonly address: string;
}

interface Recovery {
  readonly recoveryCodes: readonly string[];
}

export function AuthenticatorPanel({ me }: { readonly me: Me }) {
  const { twoFactorEnabled, recoveryCodesLeft } = me.user;
  const left = counted(recoveryCodesLeft, "recovery code is", "recovery codes are");
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Authenticator app">
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <p className="max-w-prose text-soft">
          {twoFactorEnabled
            ? `On. Signing in needs a code of it. ${left} left.`
            : "Off. With it, a stolen password is not enough: signing in also needs a code that your phone shows."}
        </p>
        <div className="flex flex-wrap gap-2">
          {twoFactorEnabled ? (
            <TurnedOn />
          ) : (
            <Button look="primary" onClick={() => setOpen(true)}>
              Set up
            </Button>
          )}
        </div>
      </div>
      {open ? <SetUp onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function TurnedOn() {
  return (
    <>
      <ActionButton<Recovery>
        label="New recovery codes"
        about="Your current codes stop working."
        request={() => ({ path: "/recovery-codes" })}
        result={({ recoveryCodes }) => <RecoveryCodes codes={recoveryCodes} />}
      />
      <ActionButton
        label="Turn off"
        look="danger"
        about="You sign in with your password alone. Your other sessions end."
        request={() => ({ path: "/authenticator", method: "DELETE" })}
      />
    </>
  );
}

function SetUp({ onClose }: { readonly onClose: () => void }) {
  const begin = useAction<Begun>();
  const confirm = useAction<Recovery>();
  const { mutate } = begin;
  const begun = useRef(false);
  useEffect(() => {
    // A second beginning would replace the secret that is shown; React may run an effect twice.
    if (begun.current) return;
    begun.current = true;
    mutate({ path: "/authenticator" });
  }, [mutate]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code")).replaceAll(/\s/g, "");
    confirm.mutate({ path: "/authenticator/confirm", body: { code } });
  };
  return (
    <Modal open onClose={onClose} title="Set up an authenticator app" about="Any app that shows six digits will do.">
      {begin.isPending ? <Skeleton lines={4} /> : null}
      {begin.isError ? <Failure error={begin.error} /> : null}
      {begin.isSuccess && !confirm.isSuccess ? (
        <form onSubmit={submit} className="grid gap-4">
          <Scan {...begin.data} />
          <TextField
            label="The code that the app shows now"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,7}"
            required
          />
          {confirm.isError ? <Failure error={confirm.error} /> : null}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={confirm.isPending}>
              Turn on
            </Button>
          </div>
        </form>
      ) : null}
      {confirm.isSuccess ? (
        <div role="status" className="grid gap-4">
          <RecoveryCodes codes={confirm.data.recoveryCodes} />
          <div className="flex justify-end">
            <Button look="primary" onClick={onClose}>
              I have kept them
            </Button>
          </div>
        </div>
      ) : null}
    </Modal>
  );
}

function Scan({ secret, address }: Begun) {
  return (
    <>
      <Suspense fallback={<Skeleton lines={4} />}>
        <QrCode text={address} label="The secret for your app" />
      </Suspense>
      <details>
        <summary className="cursor-pointer text-sm text-soft">No camera? Type the secret.</summary>
        <p className="mt-2 flex items-center gap-2 font-mono text-sm break-all">
          {secret.match(/.{1,4}/g)?.join(" ")}
          <CopyButton text={secret} label="Copy the secret" bare />
        </p>
      </details>
    </>
  );
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <div className="grid gap-3">
      <p>
        Each of these lets you in once, when your phone is gone. This is the only time that they are shown: print them,
        or put them into a password manager.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-1 rounded-lg border border-line bg-sunken p-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <CopyButton text={codes.join("\n")} label="Copy all" />
      </div>
    </div>
  );
}
