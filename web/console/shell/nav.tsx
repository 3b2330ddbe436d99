import { Link } from "@tanstack/react-router";
import { useRoom } from "../api/place.ts";
import type { NavItem } from "./rooms.ts";

interface NavProps {
  readonly items: readonly NavItem[];
  readonly onGo?: () => void;
}

export function Nav({ items, onGo }: NavProps) {
  const { at } = useRoom();
  return (
    <nav aria-label="Pages">
      <ul className="grid gap-0.5">
        {items.map(({ title, path, icon: Sign }) => (
          <li key={path}>
            <Link
              to={at(path)}
              {...(onGo === undefined ? {} : { onClick: onGo })}
              activeOptions={{ exact: path === "", includeSearch: false }}
              className="flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 text-soft hover:bg-hover
                hover:text-ink aria-[current=page]:bg-brand-tint aria-[current=page]:font-semibold
                aria-[current=page]:text-brand-strong"
            >
              <Sign aria-hidden="true" className="size-4 shrink-0" />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
