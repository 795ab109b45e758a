import type { RouteTools } from '../../dependencies';
import { answersEvents, byKeyThroughout, endpoint, type Endpoint } from '../../http/endpoint';
import type { ApiContext } from '../../http/context';
import { campaignNotFound } from '../../http/errors/refusals';
import { campaignOf, campaignParams } from '../schema';
import { campaignProgress } from './live-progress';

export const liveEndpoints = (tools: RouteTools): Endpoint[] => [ofAll(tools), perOwner(tools)];

const DESCRIPTION =
  'Server-sent events named progress: one immediately, then one for each change, at most one per second and campaign. A comment is sent every 15 seconds. The stream ends with the session or API key.';

const ofAll = ({ live }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/live',
    tag: 'Campaigns',
    summary: 'Watch all open campaigns, up to the newest 100',
    description: DESCRIPTION,
    access: byKeyThroughout,
    scope: 'read',
    input: {},
    answer: answersEvents('Events with the progress of one campaign each', campaignProgress),
    handle: (_input, { id: organizationId, recheck }) =>
      live.open({ organizationId, campaignId: null, recheck }),
    present: asEvents,
  });

const perOwner = ({ deps: { db }, live }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/live',
    tag: 'Campaigns',
    summary: 'Watch the progress of a campaign',
    description: DESCRIPTION,
    access: byKeyThroughout,
    scope: 'read',
    input: { params: campaignParams },
    answer: answersEvents('Events with the progress of the campaign', campaignProgress),
    refusals: [campaignNotFound()],
    async handle({ params }, { id: organizationId, recheck }) {
      const { id: campaignId } = await campaignOf(db, params.campaign_id, organizationId);
      return live.open({ organizationId, campaignId, recheck });
    },
    present: asEvents,
  });

function asEvents<Events>(events: Events, { ctx }: { ctx: ApiContext }): Events {
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  // Keeps proxies from buffering events.
  ctx.set('X-Accel-Buffering', 'no');
  return events;
}
