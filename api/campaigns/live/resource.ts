import { FINAL_STATUSES } from '../../../domain/call-outcome';
import { CAMPAIGN_STATS, CAMPAIGN_STATUSES } from '../../../domain/campaign-status';
import { about, list, nullable, object, type ValueOf } from '../../http/schema/field';
import { id, integer, oneOf, text, timestamp } from '../../http/schema/kinds';
import { fieldOf } from '../../http/schema/shape';

export const campaignProgress = object(
  {
    campaign_id: id(),
    campaign_status: oneOf(...CAMPAIGN_STATUSES),
    status_reason: about(nullable(text()), 'Reason why the campaign is not dialling; null while it dials'),
    stats: fieldOf(CAMPAIGN_STATS),
    call_concurrency: about(integer(1), 'Maximum number of live calls of the campaign'),
    lines_in_use: about(integer(0), 'Number of calls that hold a line'),
    waiting_calls: about(integer(0), 'Number of calls that wait for a line'),
    calls_per_minute: about(integer(0), 'Calls dialled in the last minute'),
    outcomes: about(
      list(object({ call_status: oneOf(...FINAL_STATUSES), calls: integer(0) }, { name: 'CampaignOutcome' })),
      'Results of its calls. Updated less often for large campaigns',
    ),
    next_step: about(
      text(),
      'Next action of the engine, as text for people',
      'dialling; the window closes 14:29 UTC',
    ),
    next_redial_at: about(nullable(timestamp()), 'Due time of the next redial that is not yet due'),
    ended_at: nullable(timestamp()),
  },
  { name: 'CampaignProgress' },
);
export type CampaignProgressBody = ValueOf<typeof campaignProgress>;
