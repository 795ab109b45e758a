/** The body of a dry run: create's form, and what is assumed of the calls. */
import type { Body, Reading } from '../http/endpoint';
import { decimal, instant } from '../http/input/fields';
import { contactFileForm } from './contact-file/file-shares';
import { check } from '../http/input/validate';
import { about, defaulting, object, optional, type ValueOf } from '../http/schema/field';
import { contactFile, contactFileEncoding, EXAMPLE_CAMPAIGN } from './campaign-bodies';
import { campaignFormFields, readCampaignForm, type CampaignForm } from './campaign-form';

const MAX_RING_SECONDS = 120;
const MAX_TALK_SECONDS = 3600;

const rate = () => decimal(0, 1);

/** What is assumed of calls where nothing is known of them. */
export const USUAL = { answerRate: 0.6, talkSeconds: 60, ringSeconds: 15 } as const;

const assumptionFields = {
  assumed_answer_rate: about(
    defaulting(rate(), USUAL.answerRate),
    'Share of first dials that are answered, voicemail included',
    0.6,
  ),
  assumed_redial_answer_rate: about(
    optional(rate()),
    'Share of redials that are answered; that of first dials unless given',
    0.4,
  ),
  assumed_talk_seconds: about(
    defaulting(decimal(0, MAX_TALK_SECONDS), USUAL.talkSeconds),
    "Talk of an answered call; at most the agent's longest",
    90,
  ),
  assumed_ring_seconds: about(
    defaulting(decimal(0, MAX_RING_SECONDS), USUAL.ringSeconds),
    'From the dial to the answer, or to the end of a dial that nobody answers',
    15,
  ),
  assumed_dnd_rate: about(
    defaulting(rate(), 0),
    'Share of contacts that a do-not-disturb list names; counts only with perform_dnd_check',
    0.05,
  ),
  starts_at: about(optional(instant()), 'When the campaign would be created; now unless given'),
};

const ASSUMPTIONS = object(assumptionFields);
const SIMULATE = object(
  { csv_file: contactFile, ...campaignFormFields, ...assumptionFields },
  { name: 'SimulateCampaign' },
);

export interface Simulation {
  campaign: CampaignForm;
  assumed: ValueOf<typeof ASSUMPTIONS>;
}

export const simulateCampaignBody: Body<Simulation> = {
  content: { 'multipart/form-data': SIMULATE },
  encoding: contactFileEncoding,
  examples: {
    as_create: { summary: 'The request of create as it is', value: EXAMPLE_CAMPAIGN },
    assumptions: {
      summary: 'Other assumptions',
      value: { ...EXAMPLE_CAMPAIGN, assumed_answer_rate: '0.35', assumed_talk_seconds: '90' },
    },
  },
  read: async (ctx): Promise<Reading<Simulation>> => {
    const form = await contactFileForm(ctx);
    const campaign = readCampaignForm(form);
    const assumed = check(ASSUMPTIONS, filledIn(form.fields), 'body');
    if ('value' in campaign && 'value' in assumed) {
      return { value: { campaign: campaign.value, assumed: assumed.value } };
    }
    return { faults: [campaign, assumed].flatMap((part) => ('faults' in part ? part.faults : [])) };
  },
};

/** All assumptions have defaults: one that was left blank was not made. */
function filledIn(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
