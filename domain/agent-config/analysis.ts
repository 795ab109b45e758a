import { ANALYSIS, choice, flag, group, item, list, map, required, section, STORED, text } from './kinds';

const effects = ANALYSIS;

export const DISPOSITION_TYPES = ['bool', 'string', 'number'] as const;

const itemName = (does: string) => required(text(does, { most: 30, form: 'item_name', effects }));
const prompt = required(text('Question put to the transcript', { effects }));

const disposition = item('A question about the call as a whole', {
  name: itemName('Name of the answer'),
  type: required(choice('Type of the answer', { values: DISPOSITION_TYPES, default: 'string', effects })),
  prompt,
  list_of_tags: map('Allowed answer to its meaning; only of the type `string`', { most: 500, effects }),
});

const dataPoint = item('A fact to take from the conversation', {
  name: itemName('Key of the fact in call_entity'),
  prompt,
  values: list('The only answers allowed; any text unless set', { most: 500, entry: null, effects }),
  nullable: flag('Allow null when nothing is found', { default: true, effects }),
});

export const analysis = section('Analysis', 'What is read from a finished call', {
  do_not_call: flag('Whether people who want no more calls are put on the do-not-disturb list', {
    default: false,
    effects,
  }),
  evaluations: group('Judging the call', {
    dispositions: group('Business results', {
      enabled: flag('Whether dispositions are decided', { default: false, effects }),
      prompt_based: list(
        'Dispositions of the organisation. By rules: the last yes or no, number or tag said',
        { most: 500, entry: disposition, effects },
      ),
      system_based: list('Dispositions of the system. Stored only: the interface does not show them', {
        most: 500,
        entry: null,
        effects: STORED,
      }),
    }),
    conversation_evaluation: group('Free evaluation', {
      enabled: flag('Whether a score from 0 to 100 is given, with reasons', { default: false, effects }),
      prompt: text('What to evaluate. By rules unused: sentiment, interruptions and response times decide', {
        effects,
      }),
    }),
  }),
  extraction: group('Taking facts from the call', {
    data_collection: group('Facts', {
      enabled: flag('Whether facts are taken', { default: false, effects }),
      data_points: list('The facts. By rules: the value said last, null without `values`', {
        most: 500,
        entry: dataPoint,
        effects,
      }),
    }),
    collect_concerns: group('Concerns of the customer', {
      enabled: flag('Whether concerns are collected, as `concerns` among the facts. By rules: never', {
        default: false,
        effects,
      }),
      prompt: text('What counts as a concern', { effects }),
    }),
  }),
});
