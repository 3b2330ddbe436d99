/** Handing a code to the gateway that carries it to the customer. */
export const sendCodeTask = "checkout.send-code";
