/** What stands around every page: navigation, where one is, search, the account. */
import { CircleHelp, Menu, Search, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Me } from "../api/me.ts";
import { useRoom } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { HelpWindow } from "./help-window.tsx";
import { Nav } from "./nav.tsx";
import type { NavItem } from "./rooms.ts";
import { stepThroughRows, useShortcuts } from "./shortcuts.ts";

const Palette = lazy(() => import("./palette.tsx").then((module) => ({ default: module.Palette })));

interface FrameProps {
  readonly me: Me;
  readonly items: readonly NavItem[];
  readonly children: ReactNode;
}

type Window = "palette" | "help" | null;

export function Frame({ me, items, children }: FrameProps) {
  const { place } = useRoom();
  const [window, setWindow] = useState<Window>(null);
  useShortcuts([
    { key: "k", control: true, act: () => setWindow("palette") },
    { key: "/", act: () => setWindow("palette") },
    { key: "?", act: () => setWindow("help") },
    { key: "j", act: () => stepThroughRows(1) },
    { key: "k", act: () => stepThroughRows(-1) },
  ]);
  const isSandbox = place?.environment.kind === "SANDBOX";
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-paper p-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      {isSandbox ? <div className="stripes h-1.5 print:hidden" /> : null}
      <div className="mx-auto flex max-w-[110rem]">
        <aside
          className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-4 overflow-y-auto border-r
          border-line p-3 lg:flex print:hidden"
        >
          <Brand />
          <EnvironmentSwitch me={me} />
          <Nav items={items} />
        </aside>
        <div className="min-w-0 flex-1">
          <TopBar me={me} items={items} isSandbox={isSandbox} onOpen={setWindow} />
          <main id="content" tabIndex={-1} className="px-3 py-5 outline-none sm:px-6">
            {children}
          </main>
        </div>
      </div>
      {window === "palette" ? (
        <Suspense fallback={null}>
          <Palette items={items} onClose={() => setWindow(null)} />
        </Suspense>
      ) : null}
      <HelpWindow open={window === "help"} onClose={() => setWindow(null)} />
    </div>
  );
}

interface TopBarProps {
  readonly me: Me;
  readonly items: readonly NavItem[];
  readonly isSandbox: boolean;
  readonly onOpen: (window: Window) => void;
}

function TopBar({ me, items, isSandbox, onOpen }: TopBarProps) {
  return (
    <header
      className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-ground px-3 py-2
            sm:px-6 print:hidden"
    >
      <Drawer me={me} items={items} />
      {isSandbox ? (
        <p className="hidden rounded-full bg-sandbox-tint px-3 py-1 text-xs font-semibold text-sandbox sm:block">
          Sandbox: no real money moves
        </p>
      ) : null}
      <div className="flex-1" />
      <Button onClick={() => onOpen("palette")} className="text-soft">
        <Search aria-hidden="true" className="size-4" />
        <span className="sr-only sm:not-sr-only">Search or jump to…</span>
        <kbd className="hidden rounded border border-line px-1 font-mono text-xs sm:inline">Ctrl K</kbd>
      </Button>
      <Button look="quiet" onClick={() => onOpen("help")} className="hidden px-2 sm:inline-flex">
        <CircleHelp aria-hidden="true" className="size-4" />
        <span className="sr-only">Keys and help</span>
      </Button>
      <AccountMenu me={me} />
    </header>
  );
}

function Brand() {
  return (
    <p className="flex items-center gap-2 px-1 text-lg font-bold">
      <span aria-hidden="true" className="grid size-7 place-items-center rounded-lg bg-brand text-base text-on-brand">
        J
      </span>
      Jara
    </p>
  );
}

/** The same navigation on a phone, behind a button. */
function Drawer({ me, items }: { readonly me: Me; readonly items: readonly NavItem[] }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        className="flex size-9 items-center justify-center rounded-lg border border-line bg-paper
        lg:hidden"
      >
        <Menu aria-hidden="true" className="size-5" />
        <span className="sr-only">Menu</span>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 grid w-72 max-w-[85vw] content-start gap-4 overflow-y-auto
            bg-ground p-4 shadow-2xl"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="text-lg font-bold">Jara</Dialog.Title>
            <Dialog.Close className="rounded-md p-2 text-soft hover:bg-hover">
              <X aria-hidden="true" className="size-5" />
              <span className="sr-only">Close the menu</span>
            </Dialog.Close>
          </div>
          <EnvironmentSwitch me={me} />
          <Nav items={items} onGo={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
