import { converse } from '../../../dev/simulator/conversation/conversation';
import { fillTemplate } from '../../../dev/simulator/conversation/template';
import { topicsOf } from '../../../dev/simulator/conversation/topics';
import type { ConversationKind } from '../../../dev/simulator/numbers';
import { AGENT, numberEnding } from './fixtures';

const conversation = (kind: ConversationKind, seed = numberEnding('00'), agent = AGENT) =>
  converse({ kind, seed, agent, variables: { name: 'Ravi', city: 'Pune' }, talkMs: 4000 });

describe('template variables', () => {
  test('fills in variables, with or without spaces', () => {
    expect(fillTemplate('Hi {{name}}, {{ due amount }} is due.', { name: 'Ravi', 'due amount': 120 })).toBe(
      'Hi Ravi, 120 is due.',
    );
  });

  test('leaves neither braces nor gaps for unknown variables', () => {
    expect(fillTemplate('Hello {{name}}, welcome.', {})).toBe('Hello, welcome.');
  });

  test('ignores names from the prototype', () => {
    expect(fillTemplate('{{constructor}}{{__proto__}}{{toString}}', {})).toBe('');
  });

  test("doesn't expand the values of variables", () => {
    expect(fillTemplate('{{a}}', { a: '{{b}}', b: 'no' })).toBe('{{b}}');
  });
});

describe('topics of a prompt', () => {
  test.each([
    ['Ask: "Did the parcel arrive?"', 'Did the parcel arrive?'],
    ['- How was your stay?', 'How was your stay?'],
    [
      'Ask the customer whether they have received their card.',
      'May I ask whether you have received your card?',
    ],
    ['Then ask for their order number.', null],
    ['Ask for their order number.', 'Could you give me your order number?'],
    ['Find out when the caller wants a visit.', 'Could you tell me when you want a visit?'],
    ['Confirm the delivery address.', 'Can you confirm the delivery address?'],
    ['Offer a discount of ten percent.', 'I can offer you a discount of ten percent. Would that suit you?'],
    ['Offer to book a demo.', 'I would like to book a demo. Would that suit you?'],
    [
      'Remind them that the payment is due on Friday.',
      'I also wanted to let you know that the payment is due on Friday.',
    ],
    [
      'You are an agent of Acme Bank who calls people about overdue instalments.',
      'I am calling about overdue instalments. Is now a good time?',
    ],
    ['Remind the patient to bring their card.', 'Please remember to bring your card.'],
    ['Never ask for a password.', null],
    ['Be polite and brief.', null],
  ])('derives topics from "%s"', (prompt, expected) => {
    const topics = topicsOf(prompt);
    if (expected !== null) expect(topics[0]).toBe(expected);
    else expect(topics.every((topic) => topic === 'Could you give me your order number?')).toBe(true);
  });

  test('finds several topics in one sentence', () => {
    expect(topicsOf('Greet them, ask about their visit and then confirm the address.')).toEqual([
      'Could you tell me a little about your visit?',
      'Can you confirm the address?',
    ]);
  });
});

describe('conversations', () => {
  test("starts with the agent's greeting, follows the prompt and ends with a goodbye", () => {
    const lines = conversation('talk').map(({ speaker, text }) => `${speaker}: ${text}`);
    expect(lines[0]).toBe('agent: Hello Ravi, this is Asha from Acme.');
    expect(lines).toContain('agent: May I ask whether you received the parcel?');
    expect(lines.slice(-2).join(' ')).toMatch(/Goodbye|nice day|Thank you/);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(lines.length).toBeLessThanOrEqual(8);
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
