import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@jara/sdk";
import { BookOpen } from "lucide-react";
import { useState } from "react";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import { ActionButton, SecretOnce } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { counted } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { MoreRows } from "../parts/more-rows.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { CommandLine, Empty, Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { IssueKey, KeyList } from "./key-list.tsx";

const link = "inline-flex items-center gap-1.5 text-brand underline underline-offset-4";

export function DevelopersPage() {
  return (
    <div className="grid gap-4">
      <PageHead title="Developers" about="Webhook endpoints, secret keys and what your code needs.">
        <Allowed change="webhooks">
          <NewEndpoint />
        </Allowed>
      </PageHead>
      <Endpoints />
      <Allowed change="keys">
        <OwnKeys />
      </Allowed>
      <FirstCall />
    </div>
  );
}

function OwnKeys() {
  return (
    <div className="grid gap-2">
      <div className="flex justify-end">
        <IssueKey path="/keys" />
      </div>
      <KeyList path="/keys" />
    </div>
  );
}

function NewEndpoint() {
  return (
    <ActionButton<WebhookEndpointWithSecret>
      label="Add an endpoint"
      look="primary"
      about="Jara sends every event to it, signed."
      fields={
        <>
          <TextField label="Address" name="url" type="url" placeholder="https://example.com/jara" required />
          <TextField label="Description" name="description" />
          <TextField
            label="Events"
            name="events"
            defaultValue="*"
            hint="Names, divided by commas. * is all."
            required
          />
        </>
      }
      request={(form) => ({
        path: "/webhooks/endpoints",
        body: {
          url: form("url"),
          events: eventNames(form("events")),
          ...(form("description") === "" ? {} : { description: form("description") }),
        },
      })}
      result={({ secret }) => <SecretOnce secret={secret} what="the signing secret" />}
    />
  );
}

/** "transfer.completed, bill.*" as a list. */
export function eventNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function Endpoints() {
  const query = useList<WebhookEndpoint>("/webhooks/endpoints");
  const endpoints = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Panel title="Webhook endpoints">
      {query.isPending ? <Skeleton lines={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && endpoints.length === 0 ? (
        <Empty title="No endpoint yet" command="npx jara listen --forward-to http://localhost:3000/hooks">
          Add the address of your server, or let the command line bring events to your machine:
        </Empty>
      ) : null}
      <ul>
        {endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} />
        ))}
      </ul>
      <MoreRows query={query} />
    </Panel>
  );
}

function EndpointRow({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const path = `/webhooks/endpoints/${endpoint.id}`;
  const { enabled } = endpoint;
  return (
    <li className="grid gap-2 border-b border-line p-4 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 font-medium break-all">{endpoint.url}</p>
        <StatusChip status={enabled ? "enabled" : "disabled"} />
      </div>
      <p className="text-soft">{endpoint.events.join(", ")}</p>
      {endpoint.disabledReason === null ? null : <p className="text-danger">{endpoint.disabledReason.message}</p>}
      {endpoint.failingSince === null ? null : (
        <p className="text-warning">
          Has not taken events since <Moment at={endpoint.failingSince} />
        </p>
      )}
      <Allowed change="webhooks">
        <div className="flex flex-wrap gap-2">
          <ActionButton label="Send a test" about="A webhook.test event." request={() => ({ path: `${path}/test` })} />
          <ActionButton
            label="Disable"
            offered={enabled}
            about="Events are held until it is enabled again."
            request={() => ({ path, method: "PATCH", body: { enabled: false } })}
          />
          <EnableAndResend endpoint={endpoint} />
          <ActionButton<WebhookEndpointWithSecret>
            label="New secret"
            about="Deliveries carry both signatures for 24 hours, so that you can switch without losing any."
            request={() => ({ path: `${path}/rotate-secret`, body: {} })}
            result={({ secret }) => <SecretOnce secret={secret} what="the signing secret" />}
          />
          <ActionButton
            label="Delete"
            look="danger"
            about="Jara stops sending events to it."
            request={() => ({ path, method: "DELETE" })}
          />
        </div>
      </Allowed>
    </li>
  );
}

function EnableAndResend({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, events, url, enabled } = endpoint;
  const path = `/webhooks/endpoints/${id}`;
  return (
    <ActionButton<{ events: number; deliveries: number }>
      label="Enable and resend"
      look="primary"
      offered={!enabled}
      about={`Events are sent to ${url} again from now on, and so is what it has missed.`}
      fields={<SinceField endpoint={endpoint} />}
      request={() => ({ path, method: "PATCH", body: { enabled: true } })}
      afterwards={(form) => ({
        path: "/events/redeliver",
        body: {
          from: `${form("from")}:00+01:00`,
          to: endOfTime,
          endpointId: id,
          ...(events.includes("*") ? {} : { events }),
        },
      })}
      result={({ events: count, deliveries }) =>
        `Enabled. On their way: ${counted(deliveries, "delivery", "deliveries")} of ${counted(count, "event")}.`
      }
    />
  );
}

function SinceField({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const [since] = useState(() => missedSince(endpoint));
  return (
    <TextField
      label="Resend events since"
      name="from"
      type="datetime-local"
      defaultValue={since}
      hint="Lagos time, shortly before it stopped. An event that is sent twice has the same id."
      required
    />
  );
}

/** Up to now. A sandbox's clock may be ahead of this browser's, so the moment is not named. */
const endOfTime = "2999-12-31";

const marginMs = 5 * 60_000;
const lagosOffsetMs = 3_600_000;

/** As a field takes it, in Lagos. The margin is for events that were on their way when the endpoint was disabled. */
export function missedSince({ failingSince, updatedAt }: WebhookEndpoint): string {
  const since = Date.parse(failingSince ?? updatedAt) - marginMs;
  return new Date(since + lagosOffsetMs).toISOString().slice(0, 16);
}

function FirstCall() {
  const { place } = useEnvironment();
  const isSandbox = place.environment.kind === "SANDBOX";
  return (
    <Panel title="Call the API">
      <div className="grid gap-3 p-4">
        <p>
          Requests carry a secret key of this environment
          {isSandbox ? " (sk_test_…)" : " (sk_live_…)"}. An owner or a developer issues it above.
        </p>
        <CommandLine
          command={`curl -s "${window.location.origin}/wallets/balance" -H "Authorization: Bearer $JARA_SECRET_KEY"`}
        />
        <p className="flex flex-wrap gap-4">
          <a href="/docs/reference" className={link}>
            <BookOpen aria-hidden="true" className="size-4" />
            API reference
          </a>
          <a href="/docs/quick-start" className={link}>
            Quick start
          </a>
          <a href="/docs/webhooks" className={link}>
            Webhooks
          </a>
          <a href="/docs/errors" className={link}>
            Errors
          </a>
        </p>
      </div>
    </Panel>
  );
}
