import { ANALYSIS, choice, flag, group, item, list, map, required, section, STORED, text } from './kinds';

const effects = ANALYSIS;

const DISPOSITION_TYPES = ['bool', 'string', 'number'] as const;

const itemName = (description: string) =>
  required(text(description, { max: 30, form: 'item_name', effects }));
const prompt = required(text('Question that the transcript answers', { effects }));

const disposition = item('A question about the call as a whole', {
  name: itemName('Name of the answer'),
  type: required(choice('Type of the answer', { values: DISPOSITION_TYPES, default: 'string', effects })),
  prompt,
  list_of_tags: map('Maps an allowed answer to its meaning; only for the type `string`', {
    max: 500,
    effects,
  }),
});

const dataPoint = item('A fact to extract from the conversation', {
  name: itemName('Key of the fact in call_entity'),
  prompt,
  values: list('Allowed answers; any text unless set', { max: 500, entry: null, effects }),
  nullable: flag('Allow null when nothing is found', { default: true, effects }),
});

export const analysis = section('Analysis', 'Results of a finished call', {
  do_not_call: flag('Whether people who opt out of calls are added to the do-not-disturb list', {
    default: false,
    effects,
  }),
  evaluations: group('Evaluation of the call', {
    dispositions: group('Business results', {
      enabled: flag('Whether the analysis determines dispositions', { default: false, effects }),
      prompt_based: list(
        "The organization's dispositions. The built-in rules take the last yes or no, number or tag that was said",
        { max: 500, entry: disposition, effects },
      ),
      system_based: list(
        'System-defined dispositions. Stored without effect, because the interface does not show them',
        {
          max: 500,
          entry: null,
          effects: STORED,
        },
      ),
    }),
    conversation_evaluation: group('Free-form evaluation', {
      enabled: flag('Whether the call gets a score from 0 to 100, with reasons', { default: false, effects }),
      prompt: text(
        'What to evaluate. The built-in rules ignore it and use sentiment, interruptions and response times',
        { effects },
      ),
    }),
  }),
  extraction: group('Data extraction', {
    data_collection: group('Facts', {
      enabled: flag('Whether facts are extracted', { default: false, effects }),
      data_points: list('The facts. The built-in rules take the value said last, or null without `values`', {
        max: 500,
        entry: dataPoint,
        effects,
      }),
    }),
    collect_concerns: group('Concerns of the callee or caller', {
      enabled: flag('Whether concerns are collected, as `concerns` among the facts. Needs a language model', {
        default: false,
        effects,
      }),
      prompt: text('What counts as a concern', { effects }),
    }),
  }),
});
