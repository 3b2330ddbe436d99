/** What the door says to a person who signed out while the server could not be told. */
import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { endSession } from "./sign-out.ts";

export function StillIn() {
  const [state, setState] = useState<"open" | "asking" | "failed" | "over">("open");
  const again = async () => {
    setState("asking");
    setState((await endSession()) ? "over" : "failed");
  };
  if (state === "over") {
    return (
      <p role="status" className="rounded-lg bg-brand-tint p-3 text-sm text-brand-strong">
        You are signed out.
      </p>
    );
  }
  return (
    <div role="alert" className="grid gap-3 rounded-lg bg-danger-tint p-3 text-sm">
      <p className="text-danger">
        {state === "failed"
          ? "The server could still not be told. Until it is, anybody at this computer can open the console as you."
          : "We could not tell the server that you signed out, so you may still be signed in at this computer."}
      </p>
      <Button disabled={state === "asking"} onClick={() => void again()}>
        {state === "asking" ? "One moment" : "Sign out again"}
      </Button>
    </div>
  );
}
