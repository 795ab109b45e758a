import { FINAL_STATUSES } from '../../../domain/call-outcome';
import { CAMPAIGN_STATS, CAMPAIGN_STATUSES } from '../../../domain/campaign-status';
import { about, list, nullable, object, type ValueOf } from '../../http/schema/field';
import { id, integer, oneOf, text, timestamp } from '../../http/schema/kinds';
import { fieldOf } from '../../http/schema/shape';

export const campaignProgress = object(
  {
    campaign_id: id(),
    campaign_status: oneOf(...CAMPAIGN_STATUSES),
    status_reason: about(nullable(text()), 'Why it rests; null while it dials'),
    stats: fieldOf(CAMPAIGN_STATS),
    call_concurrency: about(integer(1), 'Most calls of the campaign at once'),
    lines_in_use: about(integer(0), 'Calls that hold a line'),
    waiting_calls: about(integer(0), 'Calls that wait for a line'),
    calls_per_minute: about(integer(0), 'Dialled in the last minute'),
    outcomes: about(
      list(object({ call_status: oneOf(...FINAL_STATUSES), calls: integer(0) }, { name: 'CampaignOutcome' })),
      'How its calls ended; counted again less often the longer that takes',
    ),
    next_step: about(
      text(),
      'What the engine does next, for people',
      'dialling; the window closes 14:29 UTC',
    ),
    next_redial_at: about(nullable(timestamp()), 'When the next redial falls due that is not due yet'),
    ended_at: nullable(timestamp()),
  },
  { name: 'CampaignProgress' },
);
export type CampaignProgressBody = ValueOf<typeof campaignProgress>;
