/** What everybody reads at /status: incidents that the system saw, and those that operators tell about. */
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { AreaField, ChoiceField, TextField } from "../parts/fields.tsx";
import { span, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { Empty } from "../parts/states.tsx";
import { StatusChip, type Tone } from "../parts/status-chip.tsx";
import { partNames } from "./incident-parts.ts";
import { OperatorAllowed } from "./operator-allowed.tsx";

type State = "investigating" | "identified" | "watching" | "resolved";

interface Incident {
  readonly id: string;
  readonly source: "system" | "operator";
  readonly title: string;
  readonly condition: "slow" | "not_working";
  readonly parts: readonly (keyof typeof partNames)[];
  readonly state: State;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly withdrawnAt: string | null;
  readonly updates: readonly {
    readonly state: State;
    readonly message: string;
    readonly writtenBy: string;
    readonly writtenAt: string;
  }[];
}

const tones: Readonly<Record<State, Tone>> = {
  investigating: "bad",
  identified: "warn",
  watching: "busy",
  resolved: "good",
};
const conditionTones = { slow: "warn", not_working: "bad" } as const;
const seers = { system: "The system", operator: "An operator" } as const;
const namesOf = (parts: Incident["parts"]) => parts.map((part) => partNames[part]).join(", ");

/** All of them would not fit beside the times; the incident's own page has them. */
function shortNamesOf([first, ...others]: Incident["parts"]): string {
  if (first === undefined) return "–";
  return others.length === 0 ? partNames[first] : `${partNames[first]} and ${others.length} more`;
}

function lastedFor({ startedAt, endedAt }: Incident): string {
  return endedAt === null ? "still open" : span(Date.parse(endedAt) - Date.parse(startedAt));
}

const incidents: ListDescription<Incident> = {
  name: "incidents",
  path: "/incidents",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/incidents/${id}`,
  filters: [{ kind: "choice", name: "state", label: "State", options: ["open", "resolved"] }],
  columns: [
    { title: "Incident", lead: true, cell: ({ title }) => <span className="font-medium">{title}</span> },
    { title: "State", cell: (row) => <StateChip incident={row} /> },
    { title: "Began", cell: ({ startedAt }) => <Moment at={startedAt} /> },
    { title: "Duration", cell: lastedFor },
    { title: "Affected", cell: ({ parts }) => shortNamesOf(parts) },
  ],
  empty: {
    title: "Nothing has happened",
    text: "Jara opens an incident when a rail takes no orders, work waits too long or a verification finds differences.",
  },
};

function StateChip({ incident: { state, withdrawnAt } }: { readonly incident: Incident }) {
  return withdrawnAt === null ? (
    <StatusChip status={state} tone={tones[state]} />
  ) : (
    <StatusChip status="withdrawn" tone="quiet" />
  );
}

export function IncidentsPage() {
  return (
    <>
      <PageHead
        title="Incidents"
        about={
          <>
            What everybody reads at{" "}
            <a className="text-brand underline underline-offset-4" href="/status">
              /status
            </a>
            , for 30 days.
          </>
        }
      >
        <OperatorAllowed change="incidents">
          <OpenIncident />
        </OperatorAllowed>
      </PageHead>
      <RecordList list={incidents} />
    </>
  );
}

const publicHint = "Anybody reads it: no secrets, no numbers of people, no merchant's name.";
const partKeys = Object.keys(partNames) as (keyof typeof partNames)[];

function OpenIncident() {
  return (
    <ActionButton
      label="Report incident"
      look="primary"
      about="It stands on the public status page at once."
      confirm="Publish"
      fields={
        <>
          <TextField label="Title" name="title" hint={publicHint} maxLength={120} required />
          <AreaField label="Public update" name="message" maxLength={2000} required />
          <ChoiceField label="Severity" name="condition">
            <option value="slow">Slow</option>
            <option value="not_working">Not working</option>
          </ChoiceField>
          <fieldset>
            <legend className="mb-1 text-sm font-medium">What is affected</legend>
            <div className="grid gap-x-4 sm:grid-cols-2">
              {partKeys.map((part) => (
                <label key={part} className="flex min-h-9 items-center gap-2 text-sm">
                  <input type="checkbox" name={`part-${part}`} className="size-4 accent-brand" />
                  {partNames[part]}
                </label>
              ))}
            </div>
          </fieldset>
        </>
      }
      request={(form) => ({
        path: "/incidents",
        body: {
          title: form("title"),
          message: form("message"),
          condition: form("condition"),
          parts: partKeys.filter((part) => form(`part-${part}`) === "on"),
        },
      })}
    />
  );
}

export function IncidentPage() {
  const id = useId();
  return (
    <RecordView<Incident> path={`/incidents/${id}`}>
      {(incident) => (
        <div className="grid gap-4">
          <PageHead title={incident.title} about={<StateChip incident={incident} />}>
            <OperatorAllowed change="incidents">
              <Actions incident={incident} />
            </OperatorAllowed>
          </PageHead>
          <Panel title="What it is">
            <Facts
              facts={[
                ["Affected", namesOf(incident.parts)],
                [
                  "How bad",
                  <StatusChip key="bad" status={incident.condition} tone={conditionTones[incident.condition]} />,
                ],
                ["Seen by", seers[incident.source]],
                ["Began", <Moment key="began" at={incident.startedAt} />],
                ["Ended", <Moment key="ended" at={incident.endedAt} />],
                ["Withdrawn", <Moment key="withdrawn" at={incident.withdrawnAt} />],
              ]}
            />
          </Panel>
          <Panel title="Updates">
            <Updates incident={incident} />
          </Panel>
        </div>
      )}
    </RecordView>
  );
}

function Updates({ incident: { updates } }: { readonly incident: Incident }) {
  if (updates.length === 0) return <Empty title="Nothing was said yet">Merchants see the title and the times.</Empty>;
  return (
    <ol>
      {updates.map(({ state, message, writtenBy, writtenAt }) => (
        <li key={`${writtenAt}/${message}`} className="grid gap-1 border-b border-line px-4 py-3 last:border-0">
          <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
            <StatusChip status={state} tone={tones[state]} />
            <Moment at={writtenAt} />
            <span className="break-all">{writtenBy}</span>
          </p>
          <p className="break-words whitespace-pre-line">{message}</p>
        </li>
      ))}
    </ol>
  );
}

function Actions({ incident: { id, source, state, withdrawnAt } }: { readonly incident: Incident }) {
  const states = (["investigating", "identified", "watching", "resolved"] as const).filter(
    (one) => source === "operator" || one !== "resolved",
  );
  return (
    <>
      {withdrawnAt === null ? (
        <ActionButton
          label="Withdraw"
          look="danger"
          about="Takes it off the public page, for what should not have been told. Operators still see it here."
          request={() => ({ path: `/incidents/${id}/withdraw` })}
        />
      ) : null}
      {state === "resolved" ? null : (
        <ActionButton
          label="Post update"
          look="primary"
          about={
            source === "system"
              ? "Your update appears on the public page immediately. Jara ends this incident automatically."
              : "Your words stand on the public page at once."
          }
          confirm="Publish"
          fields={
            <>
              <ChoiceField label="State" name="state" defaultValue={state}>
                {states.map((one) => (
                  <option key={one} value={one}>
                    {words(one)}
                  </option>
                ))}
              </ChoiceField>
              <AreaField label="Words" name="message" hint={publicHint} maxLength={2000} required />
            </>
          }
          request={(form) => ({
            path: `/incidents/${id}/updates`,
            body: { state: form("state"), message: form("message") },
          })}
        />
      )}
    </>
  );
}
