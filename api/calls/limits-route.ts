import { breakersOf } from '../../db/campaigns/breakers';
import { registeredNumbers } from '../../db/agents/numbers';
import { lineUsage } from '../../db/organizations/organizations';
import { keptOf } from '../../db/organizations/quotas';
import { QUOTA_NAMES } from '../../domain/quotas';
import { SCOPES } from '../../db/organizations/api-keys';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { limitsOf, quotasOf } from '../http/limits';
import { presentBreakers } from './present-breakers';
import { limits } from './resource';
import type { RouteTools } from '../dependencies/route-tools';

export const limitsEndpoints = ({ deps: { db, settings, clock } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/limits',
    tag: 'Account',
    summary: "Get the organization's limits and usage, and the scopes of the API key",
    access: byKey,
    scope: 'read',
    input: {},
    answer: answers('The limits', limits),
    handle: async (_input, organization) => ({
      ...(await lineUsage(db, organization.id)),
      numbers: await registeredNumbers(db, organization.id),
      breakers: await breakersOf(db, organization.id, clock.now()),
      kept: await keptOf(db, organization.id),
    }),
    present: ({ liveCalls, waitingCalls, numbers, breakers, kept }, { who }) => {
      const quotas = quotasOf(who, settings.quotas);
      const { dispatchPerMinute, otherPerMinute } = limitsOf(who, settings.rateLimits);
      return {
        max_concurrency: who.maxConcurrency,
        caller_lines: who.callerLines,
        live_calls: liveCalls,
        waiting_calls: waitingCalls,
        rate_limits: { dispatch_per_minute: dispatchPerMinute, other_per_minute: otherPerMinute },
        breakers: presentBreakers(breakers, settings.spendPerDay),
        numbers,
        quotas: QUOTA_NAMES.map((name) => ({ name, used: kept[name], limit: quotas[name] || null })),
        scopes: [...(who.scopes ?? SCOPES)],
      };
    },
  }),
];
