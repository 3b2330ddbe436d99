/** What each role may change. All of them see everything. */
export const roles: Readonly<Record<string, string>> = {
  owner: "everything, and the team",
  developer: "endpoints, events, the sandbox",
  finance: "payouts, bills, wallets, loans",
  support: "sends events again",
  viewer: "nothing",
};
