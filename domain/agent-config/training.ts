import { flag, group, item, list, map, name, section, text, unchecked, word } from './kinds';
import { MAXIMA, USES } from './maxima';

const HANDLINGS = ['block', 'redirect', 'warn', 'end_call', 'transfer'] as const;
const GUARD_LEVELS = ['basic', 'medium', 'strict'] as const;

const customRule = item("One of the organization's rules", {
  name: name('Name of the rule'),
  triggers: list('Phrases that trigger the rule: whole words, any case and punctuation', {
    max: 500,
    uses: USES.triggers,
    entry: text('A phrase', { max: MAXIMA.key }),
  }),
  active: flag('Whether the rule applies', { default: true }),
  handlingType: word('The reaction; any other word acts as `block`', {
    values: HANDLINGS,
    default: 'block',
    otherwise: 'block',
  }),
  response: text("The agent's answer when the rule applies"),
  transfer_to: unchecked(
    text('For `transfer`: a number or the name of a transfer action; the first such action unless set'),
  ),
});

const guardrails = group('Topics that the agent must avoid', {
  level: word(
    "`basic`: blocks the selected topics in the agent's speech. `medium`: also checks the user's words, and asks the model to return to the topic, invent nothing and keep its role. `strict`: blocks all topics, and attempts to override the instructions. Any other word acts as `medium`",
    { values: GUARD_LEVELS, default: 'basic', otherwise: 'medium' },
  ),
  violence: flag(
    'Block violence: such sentences of the agent are replaced, and the model is asked to avoid the topic',
    { default: false },
  ),
  sexual: flag('Block sexual content', { default: false }),
  threatning: flag('Block threats (existing API clients use this spelling)', { default: false }),
  custom_rules: list("The organization's rules", { max: 500, uses: USES.rules, entry: customRule }),
});

export const training = section('Training', "The agent's knowledge", {
  knowledge: group('Retrieval', {
    use_rag: flag(
      'Whether the model gets up to four passages of questions and knowledge before each turn, if they match the words of the user',
      { default: false },
    ),
    rag_knowledge_base_dict: map(
      'Knowledge for `use_rag`: maps a name to a text or to a nested map, up to four levels and a million characters in total. URLs and files are not fetched',
      {
        max: MAXIMA.entries,
        uses: USES.knowledge,
      },
    ),
  }),
  know_how: group('Questions, pain points and guardrails', {
    faq: map(
      'Maps a question to its answer. Without `use_rag`, up to 12,000 characters are part of the instructions; an agent without a model answers from them',
      { max: MAXIMA.entries, uses: USES.questions },
    ),
    pain_points: map('Maps a pain point to its resolution, for the model', {
      max: 1_000,
      uses: USES.instructions,
    }),
    guardrails,
  }),
});
