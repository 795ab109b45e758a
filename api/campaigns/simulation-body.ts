/** Body of a simulation: the create form plus assumptions about the calls. */
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

/** Default assumptions about calls. */
export const USUAL = { answerRate: 0.6, talkSeconds: 60, ringSeconds: 15 } as const;

const assumptionFields = {
  assumed_answer_rate: about(
    defaulting(rate(), USUAL.answerRate),
    'Share of first attempts that are answered, voicemail included',
    0.6,
  ),
  assumed_redial_answer_rate: about(
    optional(rate()),
    'Share of redials that are answered. Default: the share of first attempts',
    0.4,
  ),
  assumed_talk_seconds: about(
    defaulting(decimal(0, MAX_TALK_SECONDS), USUAL.talkSeconds),
    "Talk time of an answered call, in seconds. Limited by the agent's maximum call duration",
    90,
  ),
  assumed_ring_seconds: about(
    defaulting(decimal(0, MAX_RING_SECONDS), USUAL.ringSeconds),
    'Seconds from the dial to the answer, or to the end of an unanswered attempt',
    15,
  ),
  assumed_dnd_rate: about(
    defaulting(rate(), 0),
    'Share of contacts on a do-not-disturb list. Used only with perform_dnd_check',
    0.05,
  ),
  starts_at: about(optional(instant()), 'Simulated time of creation. Default: now'),
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
    as_create: { summary: 'The same request as for create', value: EXAMPLE_CAMPAIGN },
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

/** Drops blank fields, because every assumption has a default. */
function filledIn(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
