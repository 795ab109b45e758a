import { reviseSection } from '../../api/agents/revise-section';
import { answeringAgent, calledNumber, inboundDeadlineMs } from '../../workflows/domain/inbound-call';
import type { JsonObject } from '../../workflows/domain/json';

const persona = (greeting: string, prompt = 'Talk.', metadata: JsonObject = {}) => ({
  persona: { identity: { system_prompt: prompt, greeting_message: { agent_message: greeting } }, metadata },
});

describe('who answers a number', () => {
  test("says the agent's greeting with the variables that the agent has, and no braces for those of a contact", () => {
    const config = persona('Hello {{name}}, this is {{clinic}}.', 'You are at {{clinic}}.', {
      clinic: 'the clinic',
    });
    expect(answeringAgent('Asha', config)).toEqual({
      name: 'Asha',
      greeting: 'Hello , this is the clinic.',
      prompt: 'You are at the clinic.',
    });
  });

  test.each([null, undefined, [], 'x', {}])('says nothing where nothing is configured: %p', (config) => {
    expect(answeringAgent('Asha', config)).toEqual({ name: 'Asha', greeting: '', prompt: '' });
  });
});

test("an inbound call may last as long as its agent's calls, and a minute and a bit for the rest", () => {
  const limited = (minutes: number) => ({
    experience: { settings: { call_settings: { max_call_duration: minutes } } },
  });
  expect([inboundDeadlineMs({}), inboundDeadlineMs(limited(2)), inboundDeadlineMs(limited(60))]).toEqual([
    670_000, 190_000, 3_670_000,
  ]);
});

test.each([
  ['+918040001000', '+918040001000'],
  ['918040001000', '+918040001000'],
  ['00918040001000', '+918040001000'],
  ['+00', '+00'],
])('the number called %s is read as %s', (called, number) => {
  expect(calledNumber(called)).toBe(number);
});

describe('a change of an agent', () => {
  const answering = (number: string | null, greeting = 'Hello.', metadata: JsonObject = {}) => ({
    ...persona(greeting, 'Talk.', metadata),
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
      'takes the number that it sets',
      answering(null),
      'deployment',
      inbound('+911100000001'),
      { kind: 'take', number: '+911100000001' },
    ],
    [
      'takes another',
      answering('+911100000001'),
      'deployment',
      inbound('+911100000002'),
      { kind: 'take', number: '+911100000002' },
    ],
    [
      'gives it up with an empty text',
      answering('+911100000001'),
      'deployment',
      inbound(''),
      { kind: 'release' },
    ],
    ['gives it up with null', answering('+911100000001'), 'deployment', inbound(null), { kind: 'release' }],
    [
      'renews it with the greeting',
      answering('+911100000001'),
      'persona',
      greets('Welcome.'),
      { kind: 'renew' },
    ],
    [
      'renews it with a variable of the greeting',
      answering('+911100000001', 'This is {{clinic}}.', { clinic: 'one' }),
      'persona',
      { metadata: { clinic: 'other' } },
      { kind: 'renew' },
    ],
    [
      'leaves it with what callers do not hear',
      answering('+911100000001'),
      'training',
      { a: 1 },
      { kind: 'none' },
    ],
    ['has none to renew', answering(''), 'persona', greets('Welcome.'), { kind: 'none' }],
  ])('%s', (_what, config, section, change, route) => {
    expect(routeAfter(config, section, change)).toEqual(route);
  });
});
