/** Making a customer known; what is said otherwise than it is known waits for a code. */
import { describeRoute, type Route } from "../../platform/http/route.ts";
import type { CodeDependencies } from "../consent/issue-code.ts";
import { type AskDependencies, askAboutPerson } from "../customers/ask-about-person.ts";
import { onboardCustomer } from "../customers/onboard-customer.ts";
import { presentCustomer } from "../customers/present-customer.ts";
import { readPerson } from "../customers/read-person.ts";
import { customerBody, customerData, type PresentedCustomer } from "../customers/schemas.ts";
import { meetRequirementsOf, type RequirementDependencies } from "../loans/meet-requirements.ts";
import { type ContactChangeDependencies, contactChangeRoutes } from "./contact-change-routes.ts";
import { proposeContactChange } from "./propose-contact-change.ts";

export type OnboardingDependencies = AskDependencies & CodeDependencies & RequirementDependencies;

export function onboardingRoutes(deps: OnboardingDependencies & ContactChangeDependencies): Route[] {
  return [onboardRoute(deps), ...contactChangeRoutes(deps)];
}

function onboardRoute(deps: OnboardingDependencies): Route {
  return describeRoute("key", {
    method: "POST",
    path: "/loans/bnpl/customers",
    operationId: "createCustomer",
    tag: "Checkout",
    scope: "checkout:write",
    summary: "Onboard a customer",
    description:
      "Creates a customer, which every other step of the checkout needs. The same BVN again returns 200 and the customer on record. Another name, birthday or NIN counts once the register confirms it. Other contact data become a `pending_change`: a code is sent to the phone on record, and nothing changes before the customer has confirmed with it. kyc_status says whether name and numbers belong together; while the register cannot be reached it is pending, and we ask again. In a sandbox a BVN that ends with 0000 fails.",
    body: customerBody,
    reply: {
      status: 201,
      title: "Customer",
      message: "Customer onboarded",
      data: customerData,
      also: { 200: "Customer was onboarded before" },
    },
    handle: async (request) => {
      const { caller, body, write } = request;
      const sent = readPerson(body);
      const kept = await request.kept<PresentedCustomer>();
      if (kept !== undefined) return kept;
      const { person, answer } = await askAboutPerson(deps, caller, sent);
      return write(async (tx) => {
        const { customer, created } = await onboardCustomer(tx, deps.sealer, { person, answer });
        await meetRequirementsOf(tx, deps, customer);
        await proposeContactChange(tx, deps, { customer, person, answer });
        const data = await presentCustomer(tx, customer);
        return created ? { data } : { data, status: 200 };
      });
    },
  });
}
