/** Sending a customer the address of the plan's page. */
export const sendPlanLinkTask = "checkout.send-plan-link";
