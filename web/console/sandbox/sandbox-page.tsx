/** Everything that steers a sandbox: money, time, banks, and the messages that customers would have received. */
import type { Clock, Message, Wallet } from "@jara/sdk";

import { Allowed } from "../api/allowed.tsx";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { ChoiceField, TextField } from "../parts/fields.tsx";
import { counted, typedNaira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { BanksPanel } from "./banks-panel.tsx";

const messages: ListDescription<Message> = {
  name: "messages",
  path: "/sandbox/messages",
  rowKey: ({ id }) => id,
  filters: [{ kind: "text", name: "to", label: "To (phone number)" }],
  columns: [
    { title: "To", cell: ({ to }) => <span className="font-medium">{to}</span> },
    { title: "Text", cell: ({ text }) => <span className="whitespace-normal">{text}</span> },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    { title: "When", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  empty: {
    title: "No messages yet",
    text: "SMS codes and reminders to customers appear here. Buy something in the demo shop at /shop.",
  },
};

export function SandboxPage() {
  return (
    <>
      <PageHead title="Sandbox" about="Simulate funding, time, bank outages and customer messages.">
        <Allowed change="sandbox">
          <ActionButton
            label="Reset sandbox"
            look="danger"
            about="Deletes transfers, bills, loans, customers, events and messages. Keys stay. This cannot be undone."
            request={() => ({ path: "/sandbox/reset", body: {} })}
          />
        </Allowed>
      </PageHead>
      <div className="mb-4 grid gap-4 lg:grid-cols-2">
        <MoneyPanel />
        <ClockPanel />
      </div>
      <BanksPanel />
      <h2 className="mt-6 mb-2 text-lg font-semibold">Messages</h2>
      <RecordList list={messages} />
    </>
  );
}

function MoneyPanel() {
  return (
    <Panel title="Money">
      <div className="grid gap-3 p-4">
        <RecordView<Wallet> path="/wallets/balance">
          {({ available }) => (
            <p className="text-2xl font-semibold">
              <Money amount={available} />
            </p>
          )}
        </RecordView>
        <Allowed change="sandbox">
          <div>
            <ActionButton
              label="Fund the wallet"
              look="primary"
              about="Simulated money arrives in the main wallet."
              fields={
                <TextField label="Amount in naira" name="amount" inputMode="decimal" defaultValue="100000" required />
              }
              request={(form) => ({ path: "/sandbox/wallets/fund", body: { amount: typedNaira(form("amount")) } })}
            />
          </div>
        </Allowed>
      </div>
    </Panel>
  );
}

function ClockPanel() {
  return (
    <Panel title="Time">
      <RecordView<Clock> path="/sandbox/clock" again={() => 5_000}>
        {(clock) => (
          <div className="grid gap-3 p-4">
            <p className="flex flex-wrap items-center gap-2 text-lg">
              <Moment at={clock.now} />
              <StatusChip status={clock.mode} />
            </p>
            <p className="text-soft">
              {clock.nextDueAt === null ? "Nothing is scheduled." : "Next, something is due "}
              {clock.nextDueAt === null ? null : <Moment at={clock.nextDueAt} />}
            </p>
            <Allowed change="sandbox">
              <ClockActions mode={clock.mode} />
            </Allowed>
          </div>
        )}
      </RecordView>
    </Panel>
  );
}

function ClockActions({ mode }: { readonly mode: "running" | "frozen" }) {
  const isFrozen = mode === "frozen";
  return (
    <div className="flex flex-wrap gap-2">
      <ActionButton<{ ran: number }>
        label="Advance clock"
        look="primary"
        about="Due dates, retries and late fees up to that time run now."
        fields={
          <ChoiceField label="By" name="by">
            <option value="next">Until the next thing that is due</option>
            <option value="1">A day</option>
            <option value="7">A week</option>
            <option value="31">A month</option>
            <option value="92">Three months</option>
          </ChoiceField>
        }
        request={(form) => ({
          path: "/sandbox/clock/advance",
          body: form("by") === "next" ? { until: "next_due" } : { days: Number(form("by")) },
        })}
        result={({ ran }) => `Done: ${counted(ran, "thing")} ran.`}
      />
      <ActionButton
        label={isFrozen ? "Resume clock" : "Freeze clock"}
        about={isFrozen ? "The clock runs on from its current time." : "The clock stands still until you advance it."}
        request={() => ({ path: "/sandbox/clock", method: "PUT", body: { mode: isFrozen ? "running" : "frozen" } })}
      />
    </div>
  );
}
