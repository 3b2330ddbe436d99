/** "Confirm it's you": stands above whatever was being done, and lets it go on. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { peopleDoor, writeForReply } from "../api/client.ts";
import { meQuery } from "../api/me.ts";
import { answerProofs, type ProofWay } from "../api/proof.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
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
      about="Before this is done. We do not ask again for ten minutes."
    >
      {asked.ways[0] === undefined ? (
        <NoWay />
      ) : (
        <ProofForm way={asked.ways[0]} onProven={() => end(true)} onCancel={() => end(false)} />
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

interface ProofFormProps {
  readonly way: ProofWay;
  readonly onProven: () => void;
  readonly onCancel: () => void;
}

function ProofForm({ way, onProven, onCancel }: ProofFormProps) {
  const queries = useQueryClient();
  const [mistake, setMistake] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setMistake(undefined);
    try {
      await writeForReply(peopleDoor, "/prove", { body: { [way]: String(form.get(way)) } });
      queries.invalidateQueries(meQuery);
      onProven();
    } catch (error) {
      setMistake(wordsFor(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {mistake === undefined ? null : (
        <p role="alert" className="rounded-lg bg-danger-tint p-3 text-sm text-danger">
          {mistake}
        </p>
      )}
      {way === "code" ? (
        <CodeField />
      ) : (
        <TextField label="Your password" name="password" type="password" autoComplete="current-password" required />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={busy}>
          {busy ? "One moment" : "Confirm"}
        </Button>
      </div>
    </form>
  );
}
