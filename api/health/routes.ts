import { recentDials } from '../../db/calls/history';
import type { RouteTools } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { iso } from '../http/responses';
import { oneOf, timestamp } from '../http/schema/kinds';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { carrierHealth, PART_REASONS, PART_STATUSES, PARTS, platformHealth, type PartHealth } from './health';

/** Older failures say nothing about the carrier's present state. */
const RECENT_MS = 15 * 60_000;
const MAX_DIALS = 20;

const partHealth = object(
  {
    part: oneOf(...PARTS),
    status: oneOf(...PART_STATUSES),
    reason: about(
      nullable(oneOf(...PART_REASONS)),
      'Null if the part is up. `not_seen`: no worker polls for tasks. `dials_fail`: the carrier fails dials',
    ),
    since: about(nullable(timestamp()), 'Null if the part is up or the time is unknown'),
  },
  { name: 'PartHealth' },
);

export const healthEndpoints = ({ deps }: RouteTools): Endpoint[] => {
  const platform = platformHealth(deps);
  return [
    endpoint({
      method: 'get',
      path: '/api/health',
      tag: 'Account',
      summary: 'Get the health of the service',
      description:
        "Parts that cannot be checked are omitted: LiveKit if it is not configured, workers while Temporal is down, the carrier unless at least three of the organization's dials ended in the last 15 minutes, and agents, which LiveKit does not list. Results may be five seconds old.",
      access: byKey,
      scope: 'read',
      input: {},
      answer: answers('Health of each part', object({ parts: list(partHealth) }, { name: 'Health' })),
      handle: async (_input, organization) => {
        const [shared, dials] = await Promise.all([
          platform(),
          recentDials(deps.db, organization.id, deps.clock.now() - RECENT_MS, MAX_DIALS),
        ]);
        const carrier = carrierHealth(dials);
        return carrier === null ? shared : [...shared, carrier];
      },
      present: (parts) => ({ parts: parts.map(presentPart) }),
    }),
  ];
};

const presentPart = ({ part, status, reason, since }: PartHealth): ValueOf<typeof partHealth> => ({
  part,
  status,
  reason,
  since: iso(since === null ? null : new Date(since)),
});
