import { answeringAgent, calledNumber, inboundDeadlineMs } from '../../domain/inbound-call';
import type { JsonObject } from '../../domain/json';

const persona = (greeting: string, prompt = 'Talk.', metadata: JsonObject = {}) => ({
  persona: { identity: { system_prompt: prompt, greeting_message: { agent_message: greeting } }, metadata },
});

describe('the agent that answers a number', () => {
  test("fills the agent's own variables into the greeting, and leaves a contact's variables empty", () => {
    const config = persona('Hello {{name}}, this is {{clinic}}.', 'You are at {{clinic}}.', {
      clinic: 'the clinic',
    });
    expect(answeringAgent('Asha', config)).toEqual({
      name: 'Asha',
      greeting: 'Hello , this is the clinic.',
      prompt: 'You are at the clinic.',
    });
  });

  test.each([null, undefined, [], 'x', {}])('returns empty strings for the configuration %p', (config) => {
    expect(answeringAgent('Asha', config)).toEqual({ name: 'Asha', greeting: '', prompt: '' });
  });
});

test("limits an inbound call to the agent's maximum talk time plus 70 seconds", () => {
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
])('reads the called number %s as %s', (called, number) => {
  expect(calledNumber(called)).toBe(number);
});
