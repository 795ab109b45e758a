import { about } from '../schema/field';
import * as kinds from '../schema/kinds';
import { flag, group, item, itemName, list, map, section, text, words } from './fields';
import { MAXIMA } from './maxima';

const prompt = about(words(MAXIMA.text), 'The question that is put to the transcript');

const disposition = item('A question about the call as a whole', {
  name: itemName('Name of the answer, at most 30 characters'),
  type: about(kinds.oneOf('bool', 'string', 'number'), 'Type of the answer'),
  prompt,
  list_of_tags: map('Allowed answer to what it means', 500),
});

const dataPoint = item('A fact to take from the conversation', {
  name: itemName('Key of the fact in call_entity, at most 30 characters'),
  prompt,
  values: list('The only answers allowed', 500),
  nullable: flag('Whether null is allowed when nothing is found'),
});

export const analysisSchema = section('Analysis', 'What is read from a finished call', {
  evaluations: group('Judging the call', {
    dispositions: group('Business results', {
      enabled: flag('Whether they are decided'),
      prompt_based: list('Dispositions of the organisation', 500, disposition),
      system_based: list('Dispositions the system defines', 500),
    }),
    conversation_evaluation: group('Free evaluation', {
      enabled: flag('Whether it is made'),
      prompt: text('What to evaluate'),
    }),
  }),
  extraction: group('Taking facts from the call', {
    data_collection: group('Facts', {
      enabled: flag('Whether they are taken'),
      data_points: list('The facts', 500, dataPoint),
    }),
    collect_concerns: group('Concerns of the customer', {
      enabled: flag('Whether they are collected'),
      prompt: text('What counts as a concern'),
    }),
  }),
});
