/**
 * Sending a holder to the processor's own page, where the card is typed in:
 *
 *   pending, declined ──▶ processing (committed) ──▶ the page's address is kept ──▶ the holder is sent there
 *
 * Nobody is sent to a page whose address is not kept with the try: what we have lost nobody can use, so a try whose
 * page never opened is given up without a question. As long as it is kept, the same try leads to the same page.
 */
import { inEnvironment, type Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { CardLinkStartAnswer, CardRail } from "../../rails/card.ts";
import { openRail, railUser } from "../../rails/desk.ts";
import type { Customer } from "../customers/customer.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { shownStatus } from "./card-link.ts";
import { linkTask } from "./charge.ts";
import { whyNot } from "./complete-card-link.ts";
import { readCardLink, refuseTooManyDeclines } from "./create-card-link.ts";
import { cardProblem } from "./errors.ts";
import { declineAttempt, type LinkDependencies } from "./link-order.ts";
import { claimLink, dropAttempt, keepRedirectUrl, openRedirectUrl } from "./link-store.ts";

interface StartDependencies extends LinkDependencies {
  /** Where browsers reach us. */
  readonly publicUrl: string;
}

interface Start {
  readonly environmentId: string;
  readonly linkId: string;
}

type Begun =
  | { readonly url: string }
  | { readonly attemptId: string; readonly customer: Customer; readonly rail: CardRail };

/** Returns the page's address, or null when the processor refused: the link then says why. Throws why it cannot be used. */
export async function startCardLink(deps: StartDependencies, start: Start): Promise<string | null> {
  const { environmentId, linkId } = start;
  const begun = await inEnvironment(deps.db, environmentId, (tx) => begin(tx, deps, linkId));
  if ("url" in begun) return begun.url;
  const { attemptId, customer, rail } = begun;
  const answer: CardLinkStartAnswer = (await rail.startLink?.({
    environmentId,
    linkId: attemptId,
    customerId: customer.id,
    email: customer.email,
    // Without the page's token, which is nobody's business but this server's: the browser's tab remembers it.
    returnUrl: `${deps.publicUrl}/card-links/${linkId}`,
  })) ?? { outcome: "unknown" };
  const attempt = { id: linkId, attemptId };
  if (answer.outcome === "started") {
    const url = await inEnvironment(deps.db, environmentId, (tx) => keep(tx, deps, attempt, answer.redirectUrl));
    if (url !== undefined) return url;
  }
  if (answer.outcome === "declined") {
    const order = { ...attempt, customerId: customer.id };
    await inEnvironment(deps.db, environmentId, (tx) => declineAttempt(tx, order, answer));
    return null;
  }
  await inEnvironment(deps.db, environmentId, (tx) => dropAttempt(tx, attempt));
  const message = "The bank's page could not be opened. Nothing was taken. Try again in a moment.";
  throw commonProblem("unavailable", { message, headers: { "retry-after": "5" } });
}

async function begin(tx: Tx, deps: StartDependencies, linkId: string): Promise<Begun> {
  // No try begins that nobody can be asked for: the link would wait for its end for ever.
  await openRail(deps.rails.card, railUser(tx));
  const { customerId, connectionId } = await readCardLink(tx, linkId);
  // Locks: the customer before the link, as where a card is typed in here.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const rail = await deps.rails.card.bound(railUser(tx), connectionId);
  if (rail.tokenizePath(customer) !== null) throw cardProblem("card_link_has_no_page");
  const link = await readCardLink(tx, linkId);
  if (link.atProcessor && link.attemptId !== null && shownStatus(link, tx.environment.clock.now()) === "processing") {
    const url = await openRedirectUrl(tx, deps.sealer, linkId);
    return url === undefined ? { attemptId: link.attemptId, customer, rail } : { url };
  }
  const attemptId = tx.environment.clock.newId();
  if (!(await claimLink(tx, deps.sealer, { id: linkId, cardToken: null, attemptId }))) {
    throw whyNot(link, tx.environment.clock.now());
  }
  await refuseTooManyDeclines(tx, customerId);
  return { attemptId, customer, rail };
}

const firstQuestionMs = 60_000;

/** Undefined when the try was given up meanwhile: then nobody may use its page. */
async function keep(
  tx: Tx,
  { sealer }: StartDependencies,
  attempt: { readonly id: string; readonly attemptId: string },
  redirectUrl: string,
): Promise<string | undefined> {
  if (await keepRedirectUrl(tx, sealer, attempt, redirectUrl)) {
    await schedule(tx, [{ kind: linkTask, subject: attempt.id, dueAt: tx.environment.clock.after(firstQuestionMs) }]);
    return redirectUrl;
  }
  // A twin has kept it.
  const { attemptId } = await readCardLink(tx, attempt.id);
  return attemptId === attempt.attemptId ? openRedirectUrl(tx, sealer, attempt.id) : undefined;
}
