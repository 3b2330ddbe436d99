import { useNavigate } from "@tanstack/react-router";
import { LogOut, Monitor, Moon, ShieldCheck, Sun, UserRound } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { Me } from "../api/me.ts";
import { useRoom } from "../api/place.ts";
import { useSignOut } from "./sign-out.ts";
import { chooseTheme, type Theme, themes, useTheme } from "./theme.ts";

const signs = { system: Monitor, light: Sun, dark: Moon } as const;
const names: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };
const item =
  "flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-[highlighted]:bg-brand-tint data-[highlighted]:text-brand-strong data-[state=checked]:font-semibold";

export function AccountMenu({ me }: { readonly me: Me }) {
  const theme = useTheme();
  const { at } = useRoom();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="flex size-9 items-center justify-center rounded-full border border-line
        bg-paper hover:bg-hover"
      >
        <UserRound aria-hidden="true" className="size-4" />
        <span className="sr-only">Your account and appearance</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className="card z-50 min-w-56 p-1.5 shadow-xl">
          <DropdownMenu.Label className="grid px-2 py-1.5">
            <span className="font-semibold">{me.user.name}</span>
            <span className="text-xs text-soft">{me.user.email}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Item className={item} onSelect={() => navigate({ to: at("/account") })}>
            <ShieldCheck aria-hidden="true" className="size-4" />
            Your account
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => chooseTheme(value as Theme)}>
            {themes.map((name) => {
              const Sign = signs[name];
              return (
                <DropdownMenu.RadioItem key={name} value={name} className={item}>
                  <Sign aria-hidden="true" className="size-4" />
                  {names[name]}
                </DropdownMenu.RadioItem>
              );
            })}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={item} onSelect={signOut}>
            <LogOut aria-hidden="true" className="size-4" />
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
