/** Search and go from anywhere: pages by name, records by whatever a person has at hand, an id to its trace. */
import type { SearchResult } from "@jara/sdk";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { FileSearch, Route } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { useRoom } from "../api/place.ts";
import { naira, words } from "../parts/figures.ts";
import { FocusKeeper } from "../parts/modal.tsx";
import { pageOf, useFound } from "./found.ts";
import type { NavItem } from "./rooms.ts";

interface PaletteProps {
  readonly items: readonly NavItem[];
  readonly onClose: () => void;
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function Palette({ items, onClose }: PaletteProps) {
  const { at, place } = useRoom();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const go = (path: string) => {
    onClose();
    navigate({ to: at(path) });
  };
  const id = text.trim();
  const { finds, looking } = useFound(text);
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <FocusKeeper
          aria-describedby={undefined}
          className="card fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2
            overflow-hidden shadow-2xl"
        >
          <Dialog.Title className="sr-only">Search or jump to…</Dialog.Title>
          <Command label="Search or jump to…">
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder={
                place === null ? "A page, or an id to trace" : "A page, reference, account, phone, amount, id"
              }
              className="w-full border-b border-line bg-paper px-4 py-3 text-base outline-none"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
              <Command.Empty className="p-4 text-soft">
                {looking ? "Looking …" : "Nothing is called that. Paste an id to trace it."}
              </Command.Empty>
              {idForm.test(id) ? (
                <Command.Group heading="Where is my money">
                  <Command.Item value={id} onSelect={() => go(`/trace/${id}`)}>
                    <Route aria-hidden="true" className="size-4" />
                    Trace {id}
                  </Command.Item>
                </Command.Group>
              ) : null}
              <Records finds={finds} typed={text} onGo={go} />
              <Command.Group heading="Pages">
                {items.map(({ title, path, icon: Sign }) => (
                  <Command.Item key={path} value={title} onSelect={() => go(path)}>
                    <Sign aria-hidden="true" className="size-4" />
                    {title}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </FocusKeeper>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface RecordsProps {
  readonly finds: readonly SearchResult[];
  readonly typed: string;
  readonly onGo: (path: string) => void;
}

/** The server has found these: what was typed fits them, however little their names look like it. */
function Records({ finds, typed, onGo }: RecordsProps) {
  if (finds.length === 0) return null;
  return (
    <Command.Group heading="Records">
      {finds.map((find) => (
        <Command.Item
          key={`${find.kind} ${find.id}`}
          value={`${find.kind} ${find.id}`}
          keywords={[typed]}
          onSelect={() => onGo(pageOf(find))}
        >
          <FileSearch aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{find.title}</span>
            <span className="block truncate text-xs text-soft">
              {[words(find.kind), find.status, find.subtitle].filter(Boolean).join(" · ")}
            </span>
          </span>
          {find.amount === null ? null : <span className="tabular-nums">{naira(find.amount)}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
