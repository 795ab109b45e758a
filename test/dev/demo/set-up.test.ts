import { validateAgentConfig } from '../../../api/agents/config/validate';
import { readApiSettings } from '../../../api/settings';
import { AGENT_CONFIG } from '../../../dev/demo/agent';
import { readCommandLine } from '../../../dev/demo/command-line';
import { demoEnvironment, demoOverrides } from '../../../dev/demo/environment';
import { converse } from '../../../dev/simulator/conversation/conversation';
import { resolveConfig } from '../../../domain/agent-config';
import { analyse } from '../../../domain/transcript-analysis';

describe("the demo's command line", () => {
  test('keeps the demo running without --exit', () => {
    expect(readCommandLine([])).toEqual({});
    expect(readCommandLine(['--exit'])).toEqual({ exit: true });
  });
  test('rejects an unknown option', () => {
    expect(() => readCommandLine(['--exit', '--fast'])).toThrow('Unknown option "--fast"');
  });
});

describe("the demo's environment", () => {
  test("ignores the user's carrier, so that the demo never rings a real phone", () => {
    const environment = demoEnvironment({
      CARRIER_URL: 'https://carrier.example',
      TELEPHONY: 'livekit',
      PATH: '/bin',
    });
    expect(environment).toEqual({ PATH: '/bin' });
  });

  test('ignores NUMBERS=registered, because the demo registers no numbers', () => {
    expect(demoEnvironment({ NUMBERS: 'registered' })).toEqual({});
  });

  test("ignores the user's simulator timings", () => {
    expect(demoEnvironment({ SIMULATOR_TALK_MS: '600000' })).toEqual({});
  });

  test('allows calls at any hour of the day', () => {
    const settings = readApiSettings({
      DATABASE_URL: 'postgres://127.0.0.1/x',
      CARRIER_SECRET: 'secret-of-the-carrier',
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      ...demoOverrides('127.0.0.1:7090').all,
    });
    expect(settings.legalWindow).toEqual({ startMinute: 0, endMinute: 1440 });
  });
});

describe("the demo's agent", () => {
  test('has a configuration that the platform accepts', () => {
    expect(validateAgentConfig(AGENT_CONFIG)).toHaveProperty('value');
  });

  test.each(['+916100000001', '+916100000075', '+916100000159', '+916100000261'])(
    'greets the contact by name and extracts a time and a tag in a talk with %s',
    (seed) => {
      const { system_prompt: prompt, greeting_message } = resolveConfig(AGENT_CONFIG).persona.identity;
      const agent = { name: 'Asha', greeting: greeting_message.agent_message, prompt };
      const variables = { name: 'Diya Patel', city: 'Pune' };
      const said = converse({ kind: 'talk', seed, agent, variables, talkMs: 4000 });
      expect(said[0]?.text).toMatch(/^Namaste Diya Patel, this is Asha from Tulsi Dental Care in Pune\./);
      const { entity, evalTag } = analyse({
        segments: said.map(({ start_ms: startMs, end_ms: endMs, ...rest }) => ({ ...rest, startMs, endMs })),
        answeredBy: 'human',
        callStatus: 'completed',
        config: resolveConfig(AGENT_CONFIG).analysis,
      });
      expect(entity.preferred_time).toMatch(/tomorrow afternoon|Friday morning|any day after ten/);
      expect(evalTag).toMatch(/tomorrow|friday|any day/);
    },
  );
});
