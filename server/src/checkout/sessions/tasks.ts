/** The names of what happens to a session later. */
export const expireSessionTask = "checkout.expire-session";
