import { type ProblemCatalogue, problemsFrom } from "../../src/platform/problem.ts";

export const giftCardProblems = {
  unknown_brand: { status: 422, cause: "No gift card has this brand.", cure: "Choose jumia or shoprite." },
  gift_card_not_found: {
    status: 404,
    cause: "No gift card has this id.",
    cure: "Check that the key is of the same environment.",
  },
} as const satisfies ProblemCatalogue;

export const giftCardProblem = problemsFrom(giftCardProblems);
