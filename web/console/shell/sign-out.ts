import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ApiProblem } from "../../shared/call-api.ts";
import { peopleDoor, write } from "../api/client.ts";

/**
 * Ends the session and forgets everything that was read in it. Where the server could not be told, the session may live
 * on: the door says so and offers it again, because somebody else may sit down at this machine next.
 */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const ended = await endSession();
    queries.clear();
    await navigate({ to: "/sign-in", ...(ended ? {} : { search: { stayed: true } }) });
  };
}

/** Whether the session is over. Only the server can end it: the page cannot touch the cookie. */
export function endSession(): Promise<boolean> {
  return write(peopleDoor, "/auth/sign-out", { body: {} }).then(() => true, isOver);
}

/** A session that the server does not know has ended already. */
function isOver(error: unknown): boolean {
  return error instanceof ApiProblem && error.refusal.status === 401;
}
