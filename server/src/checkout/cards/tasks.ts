/** The names of what happens to cards later. */
export const linkTask = "checkout.link-card";
export const unlinkTask = "checkout.unlink-card";
export const chargeTask = "checkout.ask-charge";
export const lateMoneyTask = "checkout.return-late-money";
export const takeBackTask = "checkout.take-charge-back";
export const refundTask = "checkout.refund-card";
export const collectTask = "checkout.collect";
