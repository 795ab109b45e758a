import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  redirect,
} from '@tanstack/react-router';
import { PageHead } from '../parts/page-head';
import { Empty, Loading, Problem } from '../parts/states';
import { agentFilters, tryFilters } from '../agents/filters';
import { auditFilters } from '../audit/filters';
import { callFilters, callSearch } from '../calls/filters';
import { campaignFilters, contactFilters } from '../campaigns/filters';
import { pageFilter } from '../contact-lists/filters';
import { Layout } from './layout';

const root = createRootRoute({
  component: Layout,
  notFoundComponent: () => (
    <>
      <PageHead title="Not found" />
      <Empty title="This page doesn’t exist">
        <Link to="/campaigns">Go to campaigns</Link>
      </Empty>
    </>
  ),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => redirect({ to: '/campaigns', throw: true }),
});

const campaigns = createRoute({
  getParentRoute: () => root,
  path: '/campaigns',
  validateSearch: campaignFilters,
  component: lazyRouteComponent(() => import('../campaigns/campaigns-page'), 'CampaignsPage'),
});

const newCampaign = createRoute({
  getParentRoute: () => root,
  path: '/campaigns/new',
  component: lazyRouteComponent(() => import('../campaigns/new/new-campaign-page'), 'NewCampaignPage'),
});

const campaign = createRoute({
  getParentRoute: () => root,
  path: '/campaigns/$campaignId',
  validateSearch: contactFilters,
  component: lazyRouteComponent(() => import('../campaigns/campaign-page'), 'CampaignPage'),
});

const contactLists = createRoute({
  getParentRoute: () => root,
  path: '/contact-lists',
  validateSearch: pageFilter,
  component: lazyRouteComponent(() => import('../contact-lists/lists-page'), 'ContactListsPage'),
});

const contactList = createRoute({
  getParentRoute: () => root,
  path: '/contact-lists/$listId',
  validateSearch: pageFilter,
  component: lazyRouteComponent(() => import('../contact-lists/list-page'), 'ContactListPage'),
});

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: callFilters,
  component: lazyRouteComponent(() => import('../calls/calls-page'), 'CallsPage'),
});

const call = createRoute({
  getParentRoute: () => root,
  path: '/calls/$callId',
  validateSearch: callSearch,
  component: lazyRouteComponent(() => import('../calls/call-page'), 'CallPage'),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(() => import('../agents/agents-page'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId',
  validateSearch: agentFilters,
  component: lazyRouteComponent(() => import('../agents/agent-page'), 'AgentPage'),
});

const tryAgent = createRoute({
  getParentRoute: () => root,
  path: '/try',
  validateSearch: tryFilters,
  component: lazyRouteComponent(() => import('../agents/try/try-page'), 'TryPage'),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  component: lazyRouteComponent(() => import('../operations/operations-page'), 'OperationsPage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: auditFilters,
  component: lazyRouteComponent(() => import('../audit/audit-page'), 'AuditPage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('../keys/keys-page'), 'KeysPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    campaigns,
    newCampaign,
    campaign,
    contactLists,
    contactList,
    calls,
    call,
    agents,
    agent,
    tryAgent,
    operations,
    audit,
    keys,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading of="the page" />,
  // A script that failed to load is fetched again only when the page reloads.
  defaultErrorComponent: ({ error }) => (
    <>
      <PageHead title="This page didn’t load" />
      <Problem error={error} onRetry={() => window.location.reload()} />
    </>
  ),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
