import { flag, group, item, list, map, section, text, words } from './fields';
import { MAXIMA } from './maxima';

const customRule = item('A rule of the organisation', {
  name: text('Name of the rule', MAXIMA.name),
  triggers: list('Phrases that set it off', 500, words(MAXIMA.key)),
  active: flag('Whether the rule applies'),
  handlingType: text(
    'block, redirect, warn, end_call or transfer; any other word acts as block',
    MAXIMA.name,
  ),
  response: text('What the agent says then'),
});

const guardrails = group('What the agent must not talk about', {
  level: text('basic, medium or strict; any other word acts as medium', MAXIMA.name),
  violence: flag('Refuse violence'),
  sexual: flag('Refuse sexual content'),
  threatning: flag('Refuse threats (spelled so by existing clients)'),
  custom_rules: list('Rules of the organisation', 500, customRule),
});

export const trainingSchema = section('Training', 'What the agent knows', {
  knowledge: group('Retrieval', {
    use_rag: flag('Whether answers draw on the knowledge base'),
    rag_knowledge_base_dict: map('Knowledge bases to draw on', MAXIMA.entries),
  }),
  know_how: group('What the agent has learnt', {
    faq: map('Question to answer', MAXIMA.entries),
    pain_points: map('Pain point to how it is resolved', 1_000),
    guardrails,
  }),
});
