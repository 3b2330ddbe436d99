/** Which environment the page is in, told so that nobody takes one for the other, and the way to the others. */
import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, FlaskConical, Radio, Shield } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type Me, placesOf } from "../api/me.ts";
import { useRoom } from "../api/place.ts";
import { rememberPlace } from "./last-place.ts";

const item =
  "flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-[highlighted]:bg-brand-tint data-[highlighted]:text-brand-strong";

export function EnvironmentSwitch({ me }: { readonly me: Me }) {
  const { place } = useRoom();
  const navigate = useNavigate();
  const go = (id: string) => {
    rememberPlace(id);
    navigate({ to: `/e/${id}` });
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="flex w-full min-w-0 items-center gap-2 rounded-lg border border-line
        bg-paper px-2.5 py-2 text-left hover:bg-hover"
      >
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-semibold">{place?.merchant.name ?? "Operator"}</span>
          <KindLabel kind={place?.environment.kind} />
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-soft" />
        <span className="sr-only">Switch environment</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          className="card z-50 max-h-[70dvh] min-w-60 overflow-y-auto p-1.5 shadow-xl"
        >
          {placesOf(me).map(({ merchant, environment }) => (
            <DropdownMenu.Item key={environment.id} className={item} onSelect={() => go(environment.id)}>
              <span className="grid flex-1">
                <span>{merchant.name}</span>
                <KindLabel kind={environment.kind} />
              </span>
              {environment.id === place?.environment.id ? <Check aria-label="You are here" className="size-4" /> : null}
            </DropdownMenu.Item>
          ))}
          {me.operator === null ? null : (
            <DropdownMenu.Item className={item} onSelect={() => navigate({ to: "/operator" })}>
              <Shield aria-hidden="true" className="size-4" />
              Operator
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function KindLabel({ kind }: { readonly kind: "LIVE" | "SANDBOX" | undefined }) {
  if (kind === undefined) return <span className="text-xs text-soft">Every merchant</span>;
  const Sign = kind === "LIVE" ? Radio : FlaskConical;
  return (
    <span
      className={`flex items-center gap-1 text-xs font-bold tracking-wide
        ${kind === "LIVE" ? "text-danger" : "text-sandbox"}`}
    >
      <Sign aria-hidden="true" className="size-3.5" />
      {kind}
    </span>
  );
}
