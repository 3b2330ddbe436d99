/**
 * Every function that may look across environments, and why it must. They run with the rights of jara_lookup
 * (security definer), which row level security lets see all tenants: each is a hole in the wall, so each is written
 * down here, and a test compares this list with what the database has.
 */
export const lookupFunctions = {
  "find_api_key(bytea)": "A request carries a key; the key tells which environment it belongs to.",
  "find_key_environment(uuid)": "An operator names a key by its id alone.",
  "touch_api_keys(uuid[],timestamp with time zone[])":
    "Last-used times are gathered and written for all tenants at once.",
  "purge_idempotency_keys(timestamp with time zone,integer)": "Retention ends everywhere.",
  "take_due_agenda(text[],integer)": "One ticker wakes what is due in every running environment.",
  "next_agenda_wake_ms(text[])": "The ticker sleeps until the next entry of any environment.",
  "find_frozen_environments(uuid[])": "A worker takes jobs of all environments and leaves those that stand still.",
  "find_unsettled_clocks(integer)": "The sweeper finishes what a killed process left in any frozen sandbox.",
  "find_waiting_advances(integer,integer)": "Advances that a killed process left are taken further by any other.",
  "find_records_without_work(text,uuid[],text[],integer)":
    "The sweeper finds records of any environment that nothing will move.",
  "read_event_totals(uuid[])": "One question serves everybody who waits at the feed of a process.",
  "claim_webhook_deliveries(integer,integer,integer,uuid[],integer[],uuid,uuid)":
    "A worker takes up the deliveries of all environments, each endpoint in its turn.",
  "record_webhook_arrivals(jsonb)": "What arrived is written down for all environments at once.",
  "find_waiting_webhook_deliveries(uuid,uuid,uuid,integer)":
    "The sweeper looks for deliveries of any environment that nothing will move.",
  "sequence_events(integer)": "One sequencer numbers the events of all environments.",
  "ledger_post(timestamp with time zone,uuid[],text[],text[],uuid[],text[],text[],integer[],uuid[],bigint[])":
    "Balances change only here: the application itself may not write them, not even in its own environment.",
  "fold_account_deltas()": "One folder adds the waiting deltas of all environments to their accounts.",
  "find_wallet_by_number(text)": "Money arrives for an account number before anybody knows whose it is.",
  "find_wallet_environment(uuid)": "An operator names a wallet by its id alone.",
  "find_waiting_transfer_lanes(text)": "A worker looks in which environments payouts wait.",
  "claim_transfers(uuid[],text[],integer[],integer,text)": "A worker takes up the payouts of all environments.",
  "find_ageing_loan_accounts(uuid,uuid,integer)":
    "The sweeper looks for loans of any environment that time will change.",
  "reset_sandbox(uuid)": "Only the owner of the look-up functions may delete what is append-only, and only here.",
  "find_transfer_environment(uuid)": "An operator names a payout by its id alone.",
  "list_unknown_transfers(integer,integer)":
    "An operator sees the payouts of all environments that wait for a decision.",
  "find_handed_over_transfers(text,uuid,uuid,integer)":
    "The sweeper looks for payouts of any environment that nothing will move.",
  "find_waiting_bill_lanes(text)": "A worker looks in which environments bills wait.",
  "claim_bills(uuid[],text[],integer[],integer)": "A worker takes up the bills of all environments.",
  "find_bill_environment(uuid)": "An operator names a bill by its id alone.",
  "list_unknown_bills(integer,integer)": "An operator sees the bills of all environments that wait for a decision.",
  "find_handed_over_bills(text,uuid,uuid,integer)":
    "The sweeper looks for bills of any environment that nothing will move.",
  "find_loan_environment(uuid)": "An operator names a loan by its id alone.",
  "find_waiting_loans(text,integer,uuid,uuid,integer)":
    "The sweeper looks for loans of any environment that nothing decides or pays out.",
  "find_page(text,bytea)": "A browser carries a page's token; the token tells which environment its record belongs to.",
  "find_environments_to_index()":
    "A server that starts makes the blind indexes that customers of any environment lack.",
  "find_customer_environment(uuid)": "An operator names a customer by its id alone.",
  "find_checkout_loan_environment(uuid)": "An operator names a checkout loan by its id alone.",
  "find_unidentified_customers(uuid,uuid,integer)":
    "The sweeper looks for customers of any environment whose identity is not established.",
  "find_waiting_checkout_loans(boolean,integer,uuid,uuid,integer)":
    "The sweeper looks for checkout loans of any environment that nothing expires or pays out.",
  "find_open_checkout_sessions(uuid,uuid,integer)":
    "The sweeper looks for checkouts of any environment that time will end.",
  "find_waiting_plan_links(uuid,uuid,integer)":
    "The sweeper looks for addresses of plans, of any environment, that no gateway has carried yet.",
  "find_merchant_name()": "A page shows the shop's name; the merchant's row is the operator's.",
  "list_unknown_charges(integer,integer)":
    "An operator sees the card charges of all environments that wait for an answer.",
  "find_card_work(text,uuid,uuid,integer)":
    "The sweeper looks for codes, card links, charges and collections of any environment that nothing will move.",
  "list_unknown_card_refunds(integer,integer)":
    "An operator sees the refunds to cards of all environments that wait for an answer.",
  "find_owed_card_refunds(uuid,uuid,integer)":
    "The sweeper looks for refunds to cards of any environment that nothing will move.",
  "read_bank_conditions(integer)": "How banks are is read for all sandboxes together, because every name enquiry asks.",
  "read_link_tries(uuid,timestamp with time zone)":
    "Who tries cards out is counted at all merchants of a lender; a tenant learns the sums and no rows.",
  "read_card_declines(uuid,uuid)": "A declining card waits at all merchants of a lender; a tenant learns how long.",
  "read_lender_standing(bytea[],bytea[],bytea[],text[],bytea[],uuid,integer,integer)":
    "One person has one limit at all merchants of a lender; a tenant learns the sums and no rows.",
} as const satisfies Record<string, string>;
