import { flag, group, item, list, map, name, section, text, unchecked, word } from './kinds';
import { MAXIMA, USES } from './maxima';

export const HANDLINGS = ['block', 'redirect', 'warn', 'end_call', 'transfer'] as const;
export const GUARD_LEVELS = ['basic', 'medium', 'strict'] as const;

const customRule = item('A rule of the organisation', {
  name: name('Name of the rule'),
  triggers: list('Phrases that trigger it: whole words, any case and punctuation', {
    most: 500,
    uses: USES.triggers,
    entry: text('A phrase', { most: MAXIMA.key }),
  }),
  active: flag('Whether the rule applies', { default: true }),
  handlingType: word('What is done then; any other word acts as block', {
    values: HANDLINGS,
    default: 'block',
    otherwise: 'block',
  }),
  response: text('What the agent says then'),
  transfer_to: unchecked(
    text('Of `transfer`: a number or the name of a transfer action; the first such action unless set'),
  ),
});

const guardrails = group('What the agent must not talk about', {
  level: word(
    '`basic`: refuses what is switched on. `medium`: in the words of the user too; the model is asked to lead back, to make nothing up and to keep its role. `strict`: everything, and orders to forget the instructions. Any other word acts as medium',
    { values: GUARD_LEVELS, default: 'basic', otherwise: 'medium' },
  ),
  violence: flag(
    'Refuse violence: such sentences of the agent are replaced, and the model is asked to avoid it',
    { default: false },
  ),
  sexual: flag('Refuse sexual content', { default: false }),
  threatning: flag('Refuse threats (spelled so by existing clients)', { default: false }),
  custom_rules: list('Rules of the organisation', { most: 500, uses: USES.rules, entry: customRule }),
});

export const training = section('Training', 'What the agent knows', {
  knowledge: group('Retrieval', {
    use_rag: flag(
      'Whether up to four passages of questions and knowledge that fit the words of the user are given to the model before each turn',
      { default: false },
    ),
    rag_knowledge_base_dict: map(
      'Knowledge for `use_rag`: name to text, or to such a map, four levels deep; a million characters together. Addresses and files are not fetched',
      {
        most: MAXIMA.entries,
        uses: USES.knowledge,
      },
    ),
  }),
  know_how: group('What the agent has learnt', {
    faq: map(
      'Question to answer. Without `use_rag` part of the instructions, up to 12,000 characters; an agent without a model answers from it',
      { most: MAXIMA.entries, uses: USES.questions },
    ),
    pain_points: map('Pain point to its resolution, for the model', {
      most: 1_000,
      uses: USES.instructions,
    }),
    guardrails,
  }),
});
