/** "Confirm it's you": stands above whatever was being done, and lets it go on. */
import { useQueryClient } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { peopleDoor, writeForReply } from "../api/client.ts";
import { meQuery } from "../api/me.ts";
import { canUsePasskeys, proveByPasskey } from "../api/passkeys.ts";
import { answerProofs, type ProofWay } from "../api/proof.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { Mistake } from "../parts/mistake.tsx";
import { Modal } from "../parts/modal.tsx";
import { CodeField } from "./code-field.tsx";
import { wordsFor } from "./refusal-words.ts";

interface Asked {
  readonly ways: readonly ProofWay[];
  readonly settle: (proven: boolean) => void;
}

export function ProofWindow() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => answerProofs((ways) => new Promise((settle) => setAsked({ ways, settle }))), []);
  if (asked === undefined) return null;
  const end = (proven: boolean) => {
    setAsked(undefined);
    asked.settle(proven);
  };
  return (
    <Modal
      open
      onClose={() => end(false)}
      title="Confirm it's you"
      about="Confirm your identity to continue. You are not asked again for ten minutes."
    >
      {asked.ways.length === 0 ? (
        <NoWay />
      ) : (
        <Ways ways={asked.ways} onProven={() => end(true)} onCancel={() => end(false)} />
      )}
    </Modal>
  );
}

/** Who came by a link has nothing to prove it with yet. */
function NoWay() {
  return (
    <div className="grid gap-3">
      <p>You signed in by a link and have no password yet, so only a fresh sign-in proves that it is you.</p>
      <p>
        Get a new link (on your own machine <code className="font-mono">npm start</code> prints one; otherwise ask
        whoever let you in), open it, and choose a password under your account within ten minutes.
      </p>
    </div>
  );
}

interface WaysProps {
  readonly ways: readonly ProofWay[];
  readonly onProven: () => void;
  readonly onCancel: () => void;
}

function Ways({ ways, onProven, onCancel }: WaysProps) {
  const queries = useQueryClient();
  const [mistake, setMistake] = useState<string>();
  const [busy, setBusy] = useState(false);
  const typed = ways.find((way) => way !== "passkey");
  const hasPasskey = ways.includes("passkey") && canUsePasskeys();
  const prove = async (attempt: () => Promise<unknown>) => {
    setBusy(true);
    setMistake(undefined);
    try {
      await attempt();
      queries.invalidateQueries(meQuery);
      onProven();
    } catch (error) {
      setMistake(wordsFor(error));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (typed === undefined) return;
    const given = String(new FormData(event.currentTarget).get(typed));
    prove(() => writeForReply(peopleDoor, "/prove", { body: { [typed]: given } }));
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Mistake>{mistake}</Mistake>
      {hasPasskey ? (
        <Button
          look={typed === undefined ? "primary" : "plain"}
          className="min-h-10"
          disabled={busy}
          onClick={() => prove(proveByPasskey)}
        >
          <Fingerprint aria-hidden="true" className="size-4" />
          Use a passkey
        </Button>
      ) : null}
      {typed === undefined ? null : <ProofField way={typed} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        {typed === undefined ? null : (
          <Button type="submit" look="primary" disabled={busy}>
            {busy ? "One moment" : "Confirm"}
          </Button>
        )}
      </div>
    </form>
  );
}

function ProofField({ way }: { readonly way: ProofWay }) {
  if (way === "code") return <CodeField />;
  return <TextField label="Your password" name="password" type="password" autoComplete="current-password" required />;
}
