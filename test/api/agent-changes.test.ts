import { reviseSection } from '../../api/agents/revise-section';
import type { JsonObject } from '../../domain/json';
import { namedFields } from '../../api/agents/change';

describe("a change of an agent's configuration", () => {
  const answering = (number: string | null, greeting = 'Hello.', metadata: JsonObject = {}) => ({
    persona: {
      identity: { system_prompt: 'Talk.', greeting_message: { agent_message: greeting } },
      metadata,
    },
    deployment: { phone: { call_type: { Inbound: number } } },
  });
  const routeAfter = (
    config: JsonObject,
    section: 'persona' | 'deployment' | 'training',
    change: JsonObject,
  ) => {
    const result = reviseSection({ config }, { section, change });
    return 'revision' in result ? result.revision?.route : result;
  };
  const inbound = (number: string | null) => ({ phone: { call_type: { Inbound: number } } });
  const greets = (greeting: string) => ({ identity: { greeting_message: { agent_message: greeting } } });

  test.each<[string, JsonObject, 'persona' | 'deployment' | 'training', JsonObject, unknown]>([
    [
      'claims the number that it sets',
      answering(null),
      'deployment',
      inbound('+911100000001'),
      { kind: 'take', number: '+911100000001' },
    ],
    [
      'claims another number',
      answering('+911100000001'),
      'deployment',
      inbound('+911100000002'),
      { kind: 'take', number: '+911100000002' },
    ],
    [
      'releases the number with an empty text',
      answering('+911100000001'),
      'deployment',
      inbound(''),
      { kind: 'release' },
    ],
    [
      'releases the number with null',
      answering('+911100000001'),
      'deployment',
      inbound(null),
      { kind: 'release' },
    ],
    [
      'renews the route with the greeting',
      answering('+911100000001'),
      'persona',
      greets('Welcome.'),
      { kind: 'renew' },
    ],
    [
      'renews the route with a variable of the greeting',
      answering('+911100000001', 'This is {{clinic}}.', { clinic: 'one' }),
      'persona',
      { metadata: { clinic: 'other' } },
      { kind: 'renew' },
    ],
    [
      "keeps the route for changes that callers don't hear",
      answering('+911100000001'),
      'training',
      { a: 1 },
      { kind: 'none' },
    ],
    [
      'renews no route when the agent has no number',
      answering(''),
      'persona',
      greets('Welcome.'),
      { kind: 'none' },
    ],
  ])('%s', (_what, config, section, change, route) => {
    expect(routeAfter(config, section, change)).toEqual(route);
  });
});

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
