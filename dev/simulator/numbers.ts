/** Defines how each number behaves. The last two digits of `to` choose what happens, like a payment provider's test cards. */
import { assertNever, type AnsweredBy, type EndReason } from './protocol';

/** `brush_off`: the callee says goodbye and hangs up. `callback`: the callee asks for a callback in a minute. */
export type ConversationKind = 'talk' | 'brush_off' | 'voicemail' | 'callback';

export interface AnsweredOutcome {
  kind: 'answered';
  answeredBy: AnsweredBy;
  /** `long` rings almost until the timeout or the ring cap. */
  ring: 'usual' | 'long';
  endReason: 'agent' | 'callee' | 'max_talk' | 'dropped';
  conversation: ConversationKind;
}

export interface UnansweredOutcome {
  kind: 'unanswered';
  endReason: Exclude<EndReason, 'agent' | 'callee' | 'platform' | 'max_talk' | 'dropped'>;
}

export type Outcome = AnsweredOutcome | UnansweredOutcome;

interface Script {
  /** Response to the POST: `invalid` is always 422. `first_503` and `first_429` reject only the first POST for the number. */
  post: 'taken' | 'invalid' | 'first_503' | 'first_429';
  /** `lost`: the call is placed, but the connection is cut and `GET /calls` doesn't find the call for a while. */
  reply: 'sent' | 'lost';
  events: 'in_order' | 'twice_and_shuffled' | 'never_ended';
  outcome: Outcome;
  /** Some calls to the number, either the `odd` ones or only the `first`, have a different outcome. */
  exception: { calls: 'odd' | 'first'; outcome: Outcome } | null;
}

const TALK: AnsweredOutcome = {
  kind: 'answered',
  answeredBy: 'human',
  ring: 'usual',
  endReason: 'agent',
  conversation: 'talk',
};
const PLAIN: Script = { post: 'taken', reply: 'sent', events: 'in_order', outcome: TALK, exception: null };

const unanswered = (endReason: UnansweredOutcome['endReason']): Script => ({
  ...PLAIN,
  outcome: { kind: 'unanswered', endReason },
});
const answered = (difference: Partial<AnsweredOutcome>): Script => ({
  ...PLAIN,
  outcome: { ...TALK, ...difference },
});

const ROWS: readonly (readonly [from: number, to: number, script: Script])[] = [
  [0, 69, PLAIN],
  [70, 72, answered({ endReason: 'callee', conversation: 'brush_off' })],
  [73, 73, answered({ endReason: 'max_talk' })],
  [74, 74, unanswered('invalid_number')],
  [
    75,
    79,
    { ...PLAIN, exception: { calls: 'odd', outcome: { kind: 'unanswered', endReason: 'no_answer' } } },
  ],
  [80, 84, unanswered('no_answer')],
  [85, 87, unanswered('busy')],
  [88, 88, unanswered('rejected')],
  [89, 89, { ...unanswered('invalid_number'), post: 'invalid' }],
  [90, 90, answered({ answeredBy: 'machine', conversation: 'voicemail' })],
  [91, 91, answered({ endReason: 'dropped' })],
  [92, 92, unanswered('carrier_failure')],
  [93, 93, { ...PLAIN, reply: 'lost' }],
  [94, 94, { ...PLAIN, events: 'twice_and_shuffled' }],
  [95, 95, { ...PLAIN, post: 'first_503' }],
  [96, 96, { ...PLAIN, post: 'first_429' }],
  [97, 97, answered({ ring: 'long' })],
  [98, 98, { ...PLAIN, exception: { calls: 'first', outcome: { ...TALK, conversation: 'callback' } } }],
  [99, 99, { ...PLAIN, events: 'never_ended' }],
];

export function scriptFor(to: string): Script {
  const digits = Number(to.slice(-2));
  return ROWS.find(([first, last]) => digits >= first && digits <= last)?.[2] ?? PLAIN;
}

/** `nthCall` counts the calls to this number from 1. */
export function outcomeOf(script: Script, nthCall: number): Outcome {
  if (script.exception === null) return script.outcome;
  const excepted = script.exception.calls === 'odd' ? nthCall % 2 === 1 : nthCall === 1;
  return excepted ? script.exception.outcome : script.outcome;
}

/** The correct outcome for a number, with which the demo and the stack tests compare the platform's results. */
interface ExpectedOutcome {
  /** The contact's state in the campaign's statistics. */
  state: 'completed' | 'failed';
  /** The contact's state in the contact list: `invalid` if the carrier rejects the number. */
  contactState: 'completed' | 'failed' | 'invalid';
  /** Calls that the carrier places, excluding callbacks. */
  placed: number;
  /** `call_status` of the last attempt. */
  callStatus: string;
  /** Additional calls if the platform honours the callbacks that callees ask for. */
  callbacks: number;
}

/**
 * `maxRetries` is the maximum number of dials. `placedBefore` is the number of calls to this number in the simulator's log, because odd and
 * even calls are counted across restarts.
 */
export function expectedOutcome(to: string, maxRetries: number, placedBefore = 0): ExpectedOutcome {
  const script = scriptFor(to);
  if (script.post === 'invalid') {
    return { state: 'failed', contactState: 'invalid', placed: 0, callStatus: 'failed', callbacks: 0 };
  }
  let placed = 0;
  let last = script.outcome;
  do {
    placed += 1;
    last = outcomeOf(script, placedBefore + placed);
  } while (isRedialled(last) && placed < maxRetries);
  const asksForCallback = last.kind === 'answered' && last.conversation === 'callback';
  return { ...endOf(last), placed, callStatus: callStatusOf(last), callbacks: asksForCallback ? 1 : 0 };
}

const REDIALLED: ReadonlySet<string> = new Set(['no_answer', 'busy', 'carrier_failure']);

function isRedialled(outcome: Outcome): boolean {
  return outcome.kind === 'unanswered' && REDIALLED.has(outcome.endReason);
}

function endOf(outcome: Outcome): Pick<ExpectedOutcome, 'state' | 'contactState'> {
  if (outcome.kind === 'answered') return { state: 'completed', contactState: 'completed' };
  return { state: 'failed', contactState: outcome.endReason === 'invalid_number' ? 'invalid' : 'failed' };
}

function callStatusOf(outcome: Outcome): string {
  switch (outcome.endReason) {
    case 'agent':
    case 'max_talk':
      return outcome.answeredBy === 'machine' ? 'voicemail' : 'completed';
    case 'callee':
      return 'User disconnected';
    case 'dropped':
      return 'error';
    case 'no_answer':
      return 'no answer';
    case 'busy':
    case 'rejected':
      return outcome.endReason;
    case 'invalid_number':
    case 'carrier_failure':
      return 'failed';
    default:
      return assertNever(outcome);
  }
}

/**
 * Hashes a string to a number in [0, 1) with FNV-1a and a final mix. Without the mix, phone numbers that differ only in their last digit
 * would land within 4 % of each other.
 */
export function hashUnit(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Varies `baseMs` by ±30 %, depending on the seed. */
export function spreadMs(baseMs: number, seed: string): number {
  return Math.round(baseMs * (0.7 + 0.6 * hashUnit(seed)));
}

/** Makes the same choice for the same seed. */
export function pick<T>(choices: readonly [T, ...T[]], seed: string): T {
  return choices[Math.floor(hashUnit(seed) * choices.length)] ?? choices[0];
}
