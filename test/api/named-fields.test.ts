import { namedFields } from '../../api/agents/change';

test.each([
  ['a leaf', { identity: { system_prompt: 'Talk.' } }, ['persona.identity.system_prompt']],
  [
    'each leaf',
    { identity: { greeting_message: { interruptible: true, agent_message: null } } },
    ['persona.identity.greeting_message.interruptible', 'persona.identity.greeting_message.agent_message'],
  ],
  [
    'a map without the keys that the client chose',
    { metadata: { 'Asha Rao': 'owes 5' } },
    ['persona.metadata'],
  ],
  ['the path of unknown keys, once', { identity: { mood: 1, tempo: 2 } }, ['persona.identity']],
  ['the section for an unknown key in it', { colour: 'blue' }, ['persona']],
  [
    'a list as one field',
    { senses_capabilities: { ears: { stt: { primary: { keywords: ['a'] } } } } },
    ['persona.senses_capabilities.ears.stt.primary.keywords'],
  ],
  ['the section for an empty change', {}, ['persona']],
])('records a change by %s', (_name, change, fields) => {
  expect(namedFields('persona', change)).toEqual(fields);
});
