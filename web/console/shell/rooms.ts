/** What there is to go to, in the order of the navigation. */
import {
  ArrowLeftRight,
  BookOpenCheck,
  Building2,
  Cable,
  CircleHelp,
  Code,
  FlaskConical,
  Gavel,
  House,
  Inbox,
  Landmark,
  Layers,
  ListChecks,
  type LucideIcon,
  ReceiptText,
  Scale,
  ScrollText,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Siren,
  Tags,
  UserCheck,
  Users,
  UsersRound,
  Wallet,
  Webhook,
} from "lucide-react";

export interface NavItem {
  readonly title: string;
  readonly path: string;
  readonly icon: LucideIcon;
  /** Only where no real money moves. */
  readonly sandboxOnly?: true;
}

const merchantRooms: readonly NavItem[] = [
  { title: "Home", path: "", icon: House },
  { title: "Transfers", path: "/transfers", icon: ArrowLeftRight },
  { title: "Bulk payouts", path: "/bulk", icon: Layers },
  { title: "Approvals", path: "/approvals", icon: UserCheck },
  { title: "Bills", path: "/bills", icon: ReceiptText },
  { title: "Loans", path: "/loans", icon: Landmark },
  { title: "Customers", path: "/customers", icon: Users },
  { title: "Checkout", path: "/checkout", icon: ShoppingBag },
  { title: "Wallets", path: "/wallets", icon: Wallet },
  { title: "Events", path: "/events", icon: Webhook },
  { title: "Developers", path: "/developers", icon: Code },
  { title: "Requests", path: "/requests", icon: ScrollText },
  { title: "Team", path: "/team", icon: UsersRound },
  { title: "Settings", path: "/settings", icon: Settings },
  { title: "Sandbox", path: "/sandbox", icon: FlaskConical, sandboxOnly: true },
];

export const operatorRooms: readonly NavItem[] = [
  { title: "Merchants", path: "", icon: Building2 },
  { title: "Decisions", path: "/decisions", icon: Gavel },
  { title: "Connections", path: "/connections", icon: Cable },
  { title: "Unknown payments", path: "/unknowns", icon: CircleHelp },
  { title: "Queues", path: "/queues", icon: ListChecks },
  { title: "Incidents", path: "/incidents", icon: Siren },
  { title: "Rates", path: "/rates", icon: Tags },
  { title: "Reconciliation", path: "/reconciliation", icon: Scale },
  { title: "Suspense", path: "/suspense", icon: Inbox },
  { title: "Verifications", path: "/verifications", icon: ShieldCheck },
  { title: "Trace", path: "/trace", icon: BookOpenCheck },
  { title: "People", path: "/people", icon: UsersRound },
  { title: "Audit", path: "/audit", icon: ScrollText },
];

export function roomsOf(kind: "LIVE" | "SANDBOX"): NavItem[] {
  return merchantRooms.filter(({ sandboxOnly }) => sandboxOnly !== true || kind === "SANDBOX");
}
