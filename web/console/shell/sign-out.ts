import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { peopleDoor, write } from "../api/client.ts";

/** Ends the session and forgets everything that was read in it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await write(peopleDoor, "/auth/sign-out", { body: {} }).catch(() => undefined);
    queries.clear();
    await navigate({ to: "/sign-in" });
  };
}
