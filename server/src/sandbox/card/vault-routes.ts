/**
 * The sandbox's card vault: the one place that a card's number comes to. Nothing is kept under an Idempotency-Key here,
 * because even the hash of a body with a card in it could be guessed back; a second token does no harm.
 */
import { Type } from "typebox";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { OneOf } from "../../platform/http/wire.ts";
import { commonProblem } from "../../platform/problem.ts";
import { cardBrands } from "../../rails/card.ts";
import { type SimulatedCard, vaultPath } from "./simulated-card.ts";

/** No examples with a number in them: this description is all that ever names the fields. */
const cardBody = Type.Object({
  number: Type.String(),
  expMonth: Type.Integer(),
  expYear: Type.Integer(),
  cvv: Type.String(),
});

const tokenData = Type.Object({ token: Type.String(), brand: OneOf(cardBrands), last4: Type.String() });

/** A card with its longest name is a few hundred bytes. */
const bodyLimitBytes = 4_096;

export function vaultRoutes({ tokenize }: Pick<SimulatedCard, "tokenize">): Route[] {
  return [
    describeRoute("page", {
      method: "POST",
      path: vaultPath,
      page: "card-link",
      summary: "Put a card into the vault",
      description: "Returns a token that is good for one link within ten minutes.",
      body: cardBody,
      // Every bad field at once, those that break a rule together with those of a wrong type.
      bodyCheckedByHandler: true,
      keepsNothing: true,
      bodyLimitBytes,
      reply: { status: 201, message: "Card taken", data: tokenData },
      problems: ["not_found"],
      handle: async ({ page, body }) => {
        // A live card goes to its processor's own vault and never to a simulation.
        if (page.environmentKind !== "SANDBOX") throw commonProblem("not_found");
        return { data: await tokenize(page.environmentId, body) };
      },
    }),
  ];
}
