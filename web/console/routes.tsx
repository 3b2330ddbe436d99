/** Every address of the console. Pages are loaded when somebody goes to them, so that the first one comes soon. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { ApiProblem } from "../shared/call-api.ts";
import { firstPlace, meQuery } from "./api/me.ts";
import { Empty, Failure, Skeleton } from "./parts/states.tsx";
import { EnvironmentRoom, NoSuchPage, OperatorRoom } from "./rooms.tsx";
import { lastPlace } from "./shell/last-place.ts";

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: NoSuchPage,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

/** Sends a person who is not signed in to the door, and back here afterwards. */
async function knock(queries: QueryClient, href: string) {
  try {
    return await queries.ensureQueryData(meQuery);
  } catch (error) {
    if (error instanceof ApiProblem && error.refusal.status === 401) {
      throw redirect({ to: "/sign-in", search: { to: href } });
    }
    throw error;
  }
}

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async ({ context, location }) => {
    const me = await knock(context.queries, location.href);
    const place = firstPlace(me, lastPlace());
    if (place !== undefined) throw redirect({ to: `/e/${place.environment.id}` });
    if (me.operator !== null) throw redirect({ to: "/operator" });
  },
  component: () => <Empty title="You are not on a team yet">Ask the operator of this server for an invitation.</Empty>,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./shell/sign-in-page.tsx"), "SignInPage"),
});

const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  component: lazyRouteComponent(() => import("./shell/join-page.tsx"), "JoinPage"),
});

const environment = createRoute({
  getParentRoute: () => root,
  path: "/e/$environmentId",
  beforeLoad: ({ context, location }) => knock(context.queries, location.href).then(() => undefined),
  component: EnvironmentRoom,
});

const operator = createRoute({
  getParentRoute: () => root,
  path: "/operator",
  beforeLoad: ({ context, location }) => knock(context.queries, location.href).then(() => undefined),
  component: OperatorRoom,
});

const inEnvironment = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => environment, path, component });
const inOperator = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => operator, path, component });

const environmentPages = [
  inEnvironment(
    "/team",
    lazyRouteComponent(() => import("./team/team-page.tsx"), "TeamPage"),
  ),
  inEnvironment(
    "/account",
    lazyRouteComponent(() => import("./account/account-page.tsx"), "AccountPage"),
  ),
  inEnvironment(
    "/",
    lazyRouteComponent(() => import("./home/home-page.tsx"), "HomePage"),
  ),
  inEnvironment(
    "/bulk",
    lazyRouteComponent(() => import("./bulk/batches-page.tsx"), "BatchesPage"),
  ),
  inEnvironment(
    "/bulk/new",
    lazyRouteComponent(() => import("./bulk/bulk-page.tsx"), "BulkPage"),
  ),
  inEnvironment(
    "/bulk/$id",
    lazyRouteComponent(() => import("./bulk/batch-page.tsx"), "BatchPage"),
  ),
  inEnvironment(
    "/transfers",
    lazyRouteComponent(() => import("./transfers/transfers-page.tsx"), "TransfersPage"),
  ),
  inEnvironment(
    "/transfers/$id",
    lazyRouteComponent(() => import("./transfers/transfer-page.tsx"), "TransferPage"),
  ),
  inEnvironment(
    "/transfers/$id/receipt",
    lazyRouteComponent(() => import("./transfers/receipt-page.tsx"), "ReceiptPage"),
  ),
  inEnvironment(
    "/approvals",
    lazyRouteComponent(() => import("./approvals/approvals-page.tsx"), "ApprovalsPage"),
  ),
  inEnvironment(
    "/approvals/$id",
    lazyRouteComponent(() => import("./approvals/approval-page.tsx"), "ApprovalPage"),
  ),
  inEnvironment(
    "/bills",
    lazyRouteComponent(() => import("./bills/bills-page.tsx"), "BillsPage"),
  ),
  inEnvironment(
    "/bills/$id",
    lazyRouteComponent(() => import("./bills/bill-page.tsx"), "BillPage"),
  ),
  inEnvironment(
    "/loans",
    lazyRouteComponent(() => import("./loans/loans-page.tsx"), "LoansPage"),
  ),
  inEnvironment(
    "/loans/$id",
    lazyRouteComponent(() => import("./loans/loan-page.tsx"), "LoanPage"),
  ),
  inEnvironment(
    "/customers",
    lazyRouteComponent(() => import("./customers/customers-page.tsx"), "CustomersPage"),
  ),
  inEnvironment(
    "/customers/$id",
    lazyRouteComponent(() => import("./customers/customer-page.tsx"), "CustomerPage"),
  ),
  inEnvironment(
    "/checkout",
    lazyRouteComponent(() => import("./customers/sessions-page.tsx"), "SessionsPage"),
  ),
  inEnvironment(
    "/checkout/$id",
    lazyRouteComponent(() => import("./customers/session-page.tsx"), "SessionPage"),
  ),
  inEnvironment(
    "/checkout-loans/$id",
    lazyRouteComponent(() => import("./customers/checkout-loan-page.tsx"), "CheckoutLoanPage"),
  ),
  inEnvironment(
    "/wallets",
    lazyRouteComponent(() => import("./wallets/wallets-page.tsx"), "WalletsPage"),
  ),
  inEnvironment(
    "/events",
    lazyRouteComponent(() => import("./events/events-page.tsx"), "EventsPage"),
  ),
  inEnvironment(
    "/events/$id",
    lazyRouteComponent(() => import("./events/event-page.tsx"), "EventPage"),
  ),
  inEnvironment(
    "/developers",
    lazyRouteComponent(() => import("./developers/developers-page.tsx"), "DevelopersPage"),
  ),
  inEnvironment(
    "/requests",
    lazyRouteComponent(() => import("./developers/requests-page.tsx"), "RequestsPage"),
  ),
  inEnvironment(
    "/requests/$id",
    lazyRouteComponent(() => import("./developers/request-page.tsx"), "RequestPage"),
  ),
  inEnvironment(
    "/settings",
    lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
  ),
  inEnvironment(
    "/sandbox",
    lazyRouteComponent(() => import("./sandbox/sandbox-page.tsx"), "SandboxPage"),
  ),
  inEnvironment(
    "/trace/$id",
    lazyRouteComponent(() => import("./trace/trace-page.tsx"), "TracePage"),
  ),
];

const operatorPages = [
  inOperator(
    "/account",
    lazyRouteComponent(() => import("./account/account-page.tsx"), "AccountPage"),
  ),
  inOperator(
    "/",
    lazyRouteComponent(() => import("./operator/merchants-page.tsx"), "MerchantsPage"),
  ),
  inOperator(
    "/decisions",
    lazyRouteComponent(() => import("./operator/decisions-page.tsx"), "DecisionsPage"),
  ),
  inOperator(
    "/environments/$id",
    lazyRouteComponent(() => import("./operator/environment-page.tsx"), "EnvironmentPage"),
  ),
  inOperator(
    "/connections",
    lazyRouteComponent(() => import("./operator/watch-pages.tsx"), "ConnectionsPage"),
  ),
  inOperator(
    "/connections/$id",
    lazyRouteComponent(() => import("./operator/connection-page.tsx"), "ConnectionPage"),
  ),
  inOperator(
    "/queues",
    lazyRouteComponent(() => import("./operator/queues-page.tsx"), "QueuesPage"),
  ),
  inOperator(
    "/incidents",
    lazyRouteComponent(() => import("./operator/incident-pages.tsx"), "IncidentsPage"),
  ),
  inOperator(
    "/incidents/$id",
    lazyRouteComponent(() => import("./operator/incident-pages.tsx"), "IncidentPage"),
  ),
  inOperator(
    "/verifications",
    lazyRouteComponent(() => import("./operator/verification-pages.tsx"), "VerificationsPage"),
  ),
  inOperator(
    "/verifications/$id",
    lazyRouteComponent(() => import("./operator/verification-pages.tsx"), "VerificationPage"),
  ),
  inOperator(
    "/suspense",
    lazyRouteComponent(() => import("./operator/suspense-page.tsx"), "SuspensePage"),
  ),
  inOperator(
    "/reconciliation/$id",
    lazyRouteComponent(() => import("./operator/run-page.tsx"), "RunPage"),
  ),
  inOperator(
    "/unknowns",
    lazyRouteComponent(() => import("./operator/watch-pages.tsx"), "UnknownsPage"),
  ),
  inOperator(
    "/transfers/$id",
    lazyRouteComponent(() => import("./operator/payment-page.tsx"), "OperatorPayoutPage"),
  ),
  inOperator(
    "/bills/$id",
    lazyRouteComponent(() => import("./operator/payment-page.tsx"), "OperatorBillPage"),
  ),
  inOperator(
    "/rates",
    lazyRouteComponent(() => import("./operator/rates-page.tsx"), "RatesPage"),
  ),
  inOperator(
    "/reconciliation",
    lazyRouteComponent(() => import("./operator/watch-pages.tsx"), "ReconciliationPage"),
  ),
  inOperator(
    "/trace",
    lazyRouteComponent(() => import("./operator/find-trace-page.tsx"), "FindTracePage"),
  ),
  inOperator(
    "/trace/$id",
    lazyRouteComponent(() => import("./trace/trace-page.tsx"), "TracePage"),
  ),
  inOperator(
    "/people",
    lazyRouteComponent(() => import("./operator/people-page.tsx"), "OperatorPeoplePage"),
  ),
  inOperator(
    "/audit",
    lazyRouteComponent(() => import("./operator/watch-pages.tsx"), "AuditPage"),
  ),
];

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      start,
      signIn,
      join,
      environment.addChildren(environmentPages),
      operator.addChildren(operatorPages),
    ]),
    basepath: "/console",
    context: { queries },
    defaultPreload: "intent",
    defaultPendingComponent: () => <Skeleton />,
    scrollRestoration: true,
  });
}
