import type { RouteTools } from '../../dependencies/route-tools';
import {
  answersEvents,
  byKeyThroughout,
  endpoint,
  type ApiContext,
  type Endpoint,
} from '../../http/endpoint';
import { campaignNotFound } from '../../http/errors/refusals';
import { campaignOf, campaignParams } from '../campaign-target';
import { campaignProgress } from './resource';

export const liveEndpoints = (tools: RouteTools): Endpoint[] => [ofAll(tools), ofOne(tools)];

const DESCRIPTION =
  'Server-sent events named progress: the first at once, then one for each change, at most one a second. A comment comes every 15 seconds. It ends with the session or the key.';

const ofAll = ({ live }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/live',
    tag: 'Campaigns',
    summary: 'Watch all campaigns that have not ended, up to the newest 100',
    description: DESCRIPTION,
    access: byKeyThroughout,
    scope: 'read',
    input: {},
    answer: answersEvents('Events; each has the progress of one campaign', campaignProgress),
    handle: (_input, { id: clientId, recheck }) => live.open({ clientId, campaignId: null, recheck }),
    present: asEvents,
  });

const ofOne = ({ deps: { db }, live }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/live',
    tag: 'Campaigns',
    summary: 'Watch a campaign',
    description: DESCRIPTION,
    access: byKeyThroughout,
    scope: 'read',
    input: { params: campaignParams },
    answer: answersEvents("Events; each has the campaign's progress", campaignProgress),
    refusals: [campaignNotFound()],
    async handle({ params }, { id: clientId, recheck }) {
      const { id: campaignId } = await campaignOf(db, params.campaign_id, clientId);
      return live.open({ clientId, campaignId, recheck });
    },
    present: asEvents,
  });

function asEvents<Events>(events: Events, { ctx }: { ctx: ApiContext }): Events {
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  // Some proxies would gather events until they have many.
  ctx.set('X-Accel-Buffering', 'no');
  return events;
}
