import { type ConversationKind, hashUnit, pick } from './numbers';
import { assertNever, type CarrierAgent, type Segment } from './protocol';

interface ConversationInput {
  kind: ConversationKind;
  /** The same seed gives the same words. */
  seed: string;
  agent: CarrierAgent;
  variables: Record<string, unknown>;
  talkMs: number;
}

type Line = Pick<Segment, 'speaker' | 'text'>;

const agent = (text: string): Line => ({ speaker: 'agent', text });
const user = (text: string): Line => ({ speaker: 'user', text });

/** Returns four to eight segments, or only the mailbox's greeting for voicemail. The last segment ends before the call does. */
export function converse(input: ConversationInput): Segment[] {
  return timed(linesOf(input), input.talkMs);
}

function linesOf(input: ConversationInput): Line[] {
  const { agent: speaker, seed, variables } = input;
  const opening =
    fillTemplate(speaker.greeting, variables) || `Hello, this is ${speaker.name || 'your assistant'}.`;
  const hello = [agent(opening), user(replyToGreeting(opening, seed))];
  const topics = chosenTopics(input);
  switch (input.kind) {
    case 'talk':
      return [
        ...hello,
        ...topics.flatMap((topic) => [agent(topic), user(replyTo(topic, seed))]),
        agent(pick(GOODBYES, `bye:${seed}`)),
        ...(hashUnit(`polite:${seed}`) < 0.5 ? [user('Thank you, goodbye.')] : []),
      ];
    case 'brush_off':
      return [...hello, agent(topics[0]), user(pick(BRUSH_OFFS, `off:${seed}`))];
    case 'callback':
      return [
        agent(opening),
        user('I am in the middle of something. Can you call me back in a minute?'),
        agent('Of course, I will call you back in a minute. Goodbye.'),
        user('Thank you, talk to you then.'),
      ];
    case 'voicemail':
      return [
        user('You have reached the mailbox of the person you are calling. They cannot take your call.'),
        user('Please leave a message after the tone.'),
      ];
    default:
      return assertNever(input.kind);
  }
}

const GOODBYES = [
  'Thank you for your time. Goodbye.',
  'That was all from my side. Thank you and have a nice day.',
  'Thank you, that helps a lot. Goodbye.',
] as const;
const BRUSH_OFFS = [
  'Sorry, I have to go now. Bye.',
  'I am not interested, thank you. Goodbye.',
  'I am driving, bye.',
] as const;
const ANY_TOPIC = 'Is there anything that I can do for you today?';

/** Picks one or two consecutive questions of the prompt, so that the conversation sounds coherent. */
function chosenTopics(input: ConversationInput): [string, ...string[]] {
  const topics = topicsOf(input.agent.prompt).map((topic) => fillTemplate(topic, input.variables));
  const start = Math.floor(hashUnit(`topic:${input.seed}`) * Math.max(1, topics.length - 1));
  const [first = ANY_TOPIC, second] = topics.slice(start, start + 2);
  return second === undefined ? [first] : [first, second];
}

/** Gives each line a duration that depends on its length. A tenth of the conversation is silence between lines. */
function timed(lines: readonly Line[], talkMs: number): Segment[] {
  const weights = lines.map((line) => line.text.length + 10);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const pauseMs = (talkMs * 0.1) / (lines.length + 1);
  let atMs = pauseMs;
  return lines.map((line, index) => {
    const startMs = atMs;
    const endMs = startMs + (talkMs * 0.9 * (weights[index] ?? 0)) / total;
    atMs = endMs + pauseMs;
    return { ...line, start_ms: Math.floor(startMs), end_ms: Math.floor(endMs) };
  });
}

type Choices = readonly [string, ...string[]];

const BY_FORM: readonly (readonly [form: RegExp, choices: Choices])[] = [
  [/good (?:time|moment)|have a (?:minute|moment)/i, ['Yes, go ahead.', 'Sure, I have a few minutes.']],
  [
    /what time|which day|what day|\bwhen\b/i,
    ['Tomorrow afternoon would be best.', 'Friday morning works for me.', 'Any day after ten is fine.'],
  ],
  [/how (?:much|many)/i, ['Two, I think.', 'About five thousand, if I remember correctly.']],
  [/how long|how often/i, ['For about a year now.', 'Once or twice a month.']],
  [/e-?mail/i, ['You can use the one that you have on file.']],
  [/address|pin ?code/i, ['It is still the same address as before.', 'Yes, the one that you have is right.']],
  [/\bwhy\b/i, ['I have been travelling, so I did not get to it.', 'To be honest, it was a bit too slow.']],
  [
    /\bhow\b/i,
    ['It went well, thank you.', 'Quite good on the whole, a little slow at first.', 'Fine, no complaints.'],
  ],
  [/suit you|would you like|interested|help\?/i, ['Yes, that sounds good.', 'Yes, I would like that.']],
  [
    /\b(?:what|which|where|who)\b|give me|tell me/i,
    ['Let me see. The second one, I believe.', 'The usual one, please.', 'That would be the larger one.'],
  ],
  [/\?\s*$/, ['Yes, that is right.', 'Yes, I did.', 'Yes, as far as I know.', 'No, not yet.']],
];
const TO_STATEMENT: Choices = [
  'Okay, good to know.',
  'All right, thank you for telling me.',
  'I see, thanks.',
];
const TO_GREETING: Choices = ['Hello. Yes, please go on.', 'Hi, what is it about?', 'Hello, I am listening.'];
const TO_GREETING_QUESTION: Choices = ['Yes, speaking.', 'Yes, this is me.', 'Yes, hello.'];

function replyTo(line: string, seed: string): string {
  const choices = BY_FORM.find(([form]) => form.test(line))?.[1] ?? TO_STATEMENT;
  return pick(choices, `reply:${seed}:${line}`);
}

function replyToGreeting(greeting: string, seed: string): string {
  if (/good (?:time|moment)|have a (?:minute|moment)/i.test(greeting)) return replyTo(greeting, seed);
  return pick(greeting.trim().endsWith('?') ? TO_GREETING_QUESTION : TO_GREETING, `hello:${seed}`);
}

/**
 * Replaces `{{name}}` with variables, and unknown names with ''. It reads own keys only, so a column named `constructor` doesn't reach the
 * prototype.
 */
function fillTemplate(text: string, variables: Record<string, unknown>): string {
  return text
    .replace(/\{\{([^{}]*)\}\}/g, (_whole, inner: string) => {
      const name = inner.trim();
      return Object.hasOwn(variables, name) ? spoken(variables[name]) : '';
    })
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ +([,.!?])/g, '$1')
    .trim();
}

function spoken(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return '';
  }
}

/** The rest of a longer prompt is ignored, which limits the cost per call. */
const MAX_PROMPT_CHARS = 4000;
const SENTENCE_END = /(?<=[.!?])\s+|\n+/;
const QUOTED_QUESTION = /["“]([^"”]{3,200}\?)["”]/;

/** Returns the questions that the prompt quotes or consists of, without repeats. The agent asks them. */
function topicsOf(prompt: string): string[] {
  const sentences = prompt.slice(0, MAX_PROMPT_CHARS).split(SENTENCE_END);
  const questions = sentences.map(
    (sentence) => QUOTED_QUESTION.exec(sentence)?.[1] ?? sentence.replace(/^[\s\-*•#\d.)]+/, '').trim(),
  );
  return [...new Set(questions.filter((question) => question.endsWith('?')))];
}
