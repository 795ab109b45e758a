/** Replies of a friendly callee to a line of the agent. The form of the question selects the choices, and the seed selects one of them. */
import { pick } from '../spread';

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

export function replyTo(line: string, seed: string): string {
  const choices = BY_FORM.find(([form]) => form.test(line))?.[1] ?? TO_STATEMENT;
  return pick(choices, `reply:${seed}:${line}`);
}

export function replyToGreeting(greeting: string, seed: string): string {
  if (/good (?:time|moment)|have a (?:minute|moment)/i.test(greeting)) return replyTo(greeting, seed);
  return pick(greeting.trim().endsWith('?') ? TO_GREETING_QUESTION : TO_GREETING, `hello:${seed}`);
}
