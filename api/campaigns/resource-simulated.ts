import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { integer, number, oneOf, text, timestamp } from '../http/schema/kinds';

const period = object(
  {
    from: about(timestamp(), 'Where the day or the hour begins, UTC'),
    calls: about(integer(1), 'Dials that begin in it'),
    answered: integer(0),
  },
  { name: 'SimulatedPeriod' },
);

const LINES = object({
  used_at_most: about(integer(1), "The least of the campaign's concurrency and the organization's maximum"),
  campaign: integer(1),
  organization: integer(1),
  assumption: about(text(), 'All of them are taken to be free'),
});

const CONTACTS = object(
  {
    total: integer(0),
    completed: about(integer(0), 'Answered'),
    failed: about(integer(0), 'Not answered by the last dial'),
    duplicate: integer(0),
    dnd: integer(0),
    expired: integer(0),
    pending: about(integer(0), 'None unless a brake stops the campaign'),
  },
  { description: 'By the state that they end in; they add up' },
);

const EXPIRED = object(
  {
    total: integer(0),
    never_dialled: about(integer(0), 'The others were dialled, and a redial no longer fitted'),
    rows: about(list(integer(1)), 'Of the file, the first hundred'),
  },
  { description: 'Contacts that do not fit before the end of the last window' },
);

const ASSUMPTIONS = object({
  starts_at: timestamp(),
  assumed_answer_rate: number(0, 1),
  assumed_redial_answer_rate: number(0, 1),
  assumed_talk_seconds: number(0),
  assumed_ring_seconds: number(0),
  assumed_dnd_rate: number(0, 1),
  credits_per_minute: number(0),
  calls_per_second: about(nullable(number(0)), "The platform's pace for each trunk; null for none"),
  spend_per_day: about(
    nullable(number(0)),
    'Credits of a day at which a brake stops the campaign; null for none',
  ),
});

export const simulatedCampaign = object(
  {
    status: about(
      oneOf('completed', 'paused'),
      "paused where the limit of a day's spend would stop it, until a person resumes it",
    ),
    finishes_at: nullable(timestamp()),
    paused_at: nullable(timestamp()),
    total_calls: about(integer(0), 'Dials'),
    answered_calls: integer(0),
    peak_lines: about(integer(0), 'Most calls at once'),
    cost: about(number(0), 'Credits'),
    lines: LINES,
    contacts: CONTACTS,
    expired: EXPIRED,
    calls_per_day: about(list(period), 'Days with a dial, the first 5,000'),
    calls_per_day_total: about(integer(0), 'How many such days there are'),
    calls_per_hour: about(list(period), 'Hours with a dial, the first 5,000'),
    calls_per_hour_total: about(integer(0), 'How many such hours there are'),
    assumptions: about(ASSUMPTIONS, 'As they were read, defaults filled in'),
  },
  { name: 'SimulatedCampaign' },
);
export type SimulatedCampaignBody = ValueOf<typeof simulatedCampaign>;
