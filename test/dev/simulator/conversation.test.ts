import { converse } from '../../../dev/simulator/conversation';
import type { ConversationKind } from '../../../dev/simulator/numbers';
import { AGENT, numberEnding } from './fixtures';

const conversation = (kind: ConversationKind, seed = numberEnding('00'), agent = AGENT) =>
  converse({ kind, seed, agent, variables: { name: 'Ravi', city: 'Pune' }, talkMs: 4000 });

describe('conversations', () => {
  test("starts with the agent's greeting, asks a question of the prompt and ends with a goodbye", () => {
    const prompt = '1. Ask "Did you receive the parcel?"\n2. Thank them.';
    const greeting = 'Hello {{ name }} {{unknown}}, this is {{constructor}}Asha.';
    const agent = { name: 'Asha', greeting, prompt };
    const lines = conversation('talk', numberEnding('00'), agent).map(
      ({ speaker, text }) => `${speaker}: ${text}`,
    );
    expect(lines[0]).toBe('agent: Hello Ravi, this is Asha.');
    expect(lines).toContain('agent: Did you receive the parcel?');
    expect(lines.slice(-2).join(' ')).toMatch(/Goodbye|nice day|Thank you/);
  });

  test('works without a greeting and a prompt', () => {
    const lines = conversation('talk', numberEnding('01'), { name: '', greeting: '', prompt: '' });
    expect(lines[0]?.text).toBe('Hello, this is your assistant.');
    expect(lines.length).toBeGreaterThanOrEqual(4);
  });

  test('repeats a conversation for the same number and varies it between numbers', () => {
    expect(conversation('talk')).toEqual(conversation('talk'));
    const variants = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify(conversation('talk', `+91987650000${index}`).map(({ text }) => text)),
    );
    expect(new Set(variants).size).toBeGreaterThan(5);
  });

  test("ends a brush-off with the callee's goodbye", () => {
    const last = conversation('brush_off').at(-1);
    expect(last?.speaker).toBe('user');
    expect(last?.text).toMatch(/bye|goodbye/i);
  });

  test("includes a busy callee's request for a callback", () => {
    const asked = conversation('callback').filter(({ speaker }) => speaker === 'user');
    expect(asked[0]?.text).toContain('call me back in a minute');
  });

  test("contains only the mailbox's greeting for voicemail", () => {
    const lines = conversation('voicemail');
    expect(lines.map(({ speaker }) => speaker)).toEqual(['user', 'user']);
    expect(lines[0]?.text).toContain('mailbox');
  });

  test('returns consecutive segments that end before the call does', () => {
    for (const kind of ['talk', 'brush_off', 'callback', 'voicemail'] as const) {
      const segments = conversation(kind);
      const times = segments.flatMap(({ start_ms, end_ms }) => [start_ms, end_ms]);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(4000);
      expect(times.every(Number.isInteger)).toBe(true);
    }
  });
});
