/** A desk whose rails were changed on the way. */
import type { Desk } from "../src/rails/desk.ts";

export function tamperedDesk<Rail>(desk: Desk<Rail>, change: (rail: Rail) => Rail): Desk<Rail> {
  return {
    find: async (user, category) => {
      const found = await desk.find(user, category);
      return typeof found === "string" ? found : { ...found, rail: change(found.rail) };
    },
    bound: async (user, connectionId) => change(await desk.bound(user, connectionId)),
    plain: async (user) => {
      const rail = await desk.plain(user);
      return rail && change(rail);
    },
  };
}
