import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { integer, number, oneOf, text, timestamp } from '../http/schema/kinds';

const period = object(
  {
    from: about(timestamp(), 'Start of the day or hour, in UTC'),
    calls: about(integer(1), 'Attempts that start in this period'),
    answered: integer(0),
  },
  { name: 'SimulatedPeriod' },
);

const LINES = object({
  used_at_most: about(integer(1), "The lower of the campaign's concurrency and the organization's maximum"),
  campaign: integer(1),
  organization: integer(1),
  assumption: about(text(), 'Explains the assumption that all lines are free'),
});

const CONTACTS = object(
  {
    total: integer(0),
    completed: about(integer(0), 'Answered, voicemail included'),
    failed: about(integer(0), 'Not answered by the last attempt'),
    duplicate: integer(0),
    dnd: integer(0),
    expired: integer(0),
    pending: about(integer(0), '0 unless a spend limit stops the campaign'),
  },
  { description: 'Number of contacts by final state. They add up to total' },
);

const EXPIRED = object(
  {
    total: integer(0),
    never_dialled: about(
      integer(0),
      'Contacts without any attempt. The others had no time left for a redial',
    ),
    rows: about(list(integer(1)), 'Row numbers of the first hundred'),
  },
  { description: 'Contacts for which there is no time before the last window ends' },
);

const ASSUMPTIONS = object({
  starts_at: timestamp(),
  assumed_answer_rate: number(0, 1),
  assumed_redial_answer_rate: number(0, 1),
  assumed_talk_seconds: number(0),
  assumed_ring_seconds: number(0),
  assumed_dnd_rate: number(0, 1),
  credits_per_minute: number(0),
  calls_per_second: about(nullable(number(0)), "The platform's limit per trunk; null means unlimited"),
  spend_per_day: about(
    nullable(number(0)),
    'Credits per day at which a spend limit stops the campaign; null means unlimited',
  ),
});

export const simulatedCampaign = object(
  {
    status: about(
      oneOf('completed', 'paused'),
      'paused if a daily spend limit would stop it until a person resumes it',
    ),
    finishes_at: nullable(timestamp()),
    paused_at: nullable(timestamp()),
    total_calls: about(integer(0), 'Number of attempts'),
    answered_calls: integer(0),
    peak_lines: about(integer(0), 'Maximum number of live calls'),
    cost: about(number(0), 'Cost in credits'),
    lines: LINES,
    contacts: CONTACTS,
    expired: EXPIRED,
    calls_per_day: about(list(period), 'First 5,000 days with an attempt'),
    calls_per_day_total: about(integer(0), 'Number of days with an attempt'),
    calls_per_hour: about(list(period), 'First 5,000 hours with an attempt'),
    calls_per_hour_total: about(integer(0), 'Number of hours with an attempt'),
    assumptions: about(ASSUMPTIONS, 'Assumptions of the request, with defaults'),
  },
  { name: 'SimulatedCampaign' },
);
export type SimulatedCampaignBody = ValueOf<typeof simulatedCampaign>;
