import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useRoom } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { TextField } from "../parts/fields.tsx";
import { PageHead } from "../parts/page-head.tsx";

/** Support begins here: somebody tells an id, and asks where the money is. */
export function FindTracePage() {
  const { at } = useRoom();
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("id") ?? "").trim();
    navigate({ to: at(`/trace/${encodeURIComponent(id)}`) });
  };
  return (
    <>
      <PageHead title="Trace" about="Enter any Jara id to see the whole story of its money, in any environment." />
      <form onSubmit={submit} className="card grid max-w-xl gap-4 p-4">
        <TextField
          label="Id"
          name="id"
          hint="Of a payout, batch, bill, loan, charge, event or line of a statement."
          required
        />
        <div>
          <Button type="submit" look="primary">
            Show
          </Button>
        </div>
      </form>
    </>
  );
}
