import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@jara/sdk";
import { BookOpen } from "lucide-react";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import { ActionButton, SecretOnce } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
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
      <PageHead
        title="Developers"
        about="Endpoints that are told what happens, keys, and what your code needs to know."
      >
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
      about="Every event is sent to it, signed."
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
            label={enabled ? "Disable" : "Enable"}
            about={enabled ? "Events wait until it is enabled again." : "Events are sent again from now on."}
            request={() => ({ path, method: "PATCH", body: { enabled: !enabled } })}
          />
          <ActionButton<WebhookEndpointWithSecret>
            label="New secret"
            about="The old secret signs beside the new one for a while, so that nothing is lost."
            request={() => ({ path: `${path}/rotate-secret`, body: {} })}
            result={({ secret }) => <SecretOnce secret={secret} what="the signing secret" />}
          />
          <ActionButton
            label="Delete"
            look="danger"
            about="No event is sent to it any more."
            request={() => ({ path, method: "DELETE" })}
          />
        </div>
      </Allowed>
    </li>
  );
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
