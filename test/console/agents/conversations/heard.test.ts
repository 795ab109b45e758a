import {
  afterFrame,
  isTurnOver,
  nothingHeard,
  turnBegins,
  type Heard,
} from '../../../../console/src/agents/conversations/heard';
import type { CaptionFrame } from '../../../../sdk/typescript/generated';

const segment = (speaker: 'agent' | 'user', text: string, isFinal = true) => ({
  type: 'transcript',
  segment: { speaker, text, is_final: isFinal },
});
const THINKING = { type: 'agent_thinking' };
const began = (speaker: string) => ({ type: 'turn_started', speaker });
const ended = (speaker: string) => ({ type: 'turn_ended', speaker });

/** Each frame comes 10 ms after the one before; the turn begins at 0. */
const after = (...frames: object[]): Heard =>
  frames.reduce<Heard>(
    (heard, frame, index) => afterFrame(heard, frame as CaptionFrame, 10 * (index + 1)),
    nothingHeard(0),
  );

/** How long after the last frame the turn counts as over. */
function overAfter(heard: Heard): number {
  let since = 0;
  while (!isTurnOver(heard, heard.changedAt + since)) since += 500;
  return since;
}

const SOON = 1_500;
const SILENCE = 10_000;
const PATIENCE = 45_000;

describe('a turn is over', () => {
  test.each<[string, object[], number]>([
    [
      'shortly after the last words',
      [THINKING, began('agent'), segment('agent', 'Yes.'), ended('agent')],
      SOON,
    ],
    [
      'shortly after them, where the end of the speech comes first',
      [began('agent'), ended('agent'), segment('agent', 'Yes.')],
      SOON,
    ],
    ['shortly after them, where only they come', [segment('agent', 'Yes.')], SOON],
    ['after a silence, where nothing is said', [segment('user', 'Hi')], SILENCE],
    ['not while the agent speaks', [began('agent'), segment('agent', 'Yes', false)], 120_000],
    ['not while it thinks', [segment('user', 'Hi'), THINKING], PATIENCE],
    [
      'not while a tool runs, though what was said before is final only now',
      [THINKING, began('agent'), THINKING, ended('agent'), segment('agent', 'Let me look.')],
      PATIENCE,
    ],
    ['at once, where the call is', [THINKING, { type: 'call_ended', call_status: 'completed' }], 0],
  ])('%s', (_title, frames, since) => {
    expect(overAfter(after(...frames))).toBe(since);
  });

  test('and the next has what is said from its beginning on', () => {
    const first = after(segment('agent', 'Hello.'), segment('user', 'Hi'));
    const second = afterFrame(turnBegins(first, 50), segment('agent', 'Yes.') as CaptionFrame, 60);
    expect([first.said, second.said]).toEqual([['Hello.'], ['Yes.']]);
  });
});

test('what was said before the captions were followed is heard, and whether the call was answered', () => {
  const connected = { type: 'connected', answered_at: '2026-11-02T05:00:00.000Z' };
  const history = {
    type: 'history',
    segments: [segment('agent', 'Hello.').segment, segment('user', 'Hi').segment],
  };
  expect(after(connected, history)).toMatchObject({ isAnswered: true, said: ['Hello.'], endedAs: null });
  expect(after({ ...connected, answered_at: null }).isAnswered).toBe(false);
  expect(after({ ...connected, answered_at: null }, { type: 'call_started' }).isAnswered).toBe(true);
});
