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

/** Applies frames that arrive 10 ms apart, in a turn that starts at 0. */
const after = (...frames: object[]): Heard =>
  frames.reduce<Heard>(
    (heard, frame, index) => afterFrame(heard, frame as CaptionFrame, 10 * (index + 1)),
    nothingHeard(0),
  );

/** Returns how many milliseconds after the last frame the turn is over. */
function overAfter(heard: Heard): number {
  let since = 0;
  while (!isTurnOver(heard, heard.changedAt + since)) since += 500;
  return since;
}

const SOON = 1_500;
const SILENCE = 10_000;
const PATIENCE = 45_000;

describe('isTurnOver()', () => {
  test.each<[string, object[], number]>([
    [
      'ends a turn shortly after the last words',
      [THINKING, began('agent'), segment('agent', 'Yes.'), ended('agent')],
      SOON,
    ],
    [
      'ends a turn shortly after the last words, if the end of speech arrives first',
      [began('agent'), ended('agent'), segment('agent', 'Yes.')],
      SOON,
    ],
    ['ends a turn shortly after the last words, if no other frame arrives', [segment('agent', 'Yes.')], SOON],
    ['ends a turn after a longer silence, if the agent says nothing', [segment('user', 'Hi')], SILENCE],
    ['does not end a turn while the agent speaks', [began('agent'), segment('agent', 'Yes', false)], 120_000],
    ['does not end a turn while the agent thinks', [segment('user', 'Hi'), THINKING], PATIENCE],
    [
      'does not end a turn while a tool runs, even if earlier words become final during that time',
      [THINKING, began('agent'), THINKING, ended('agent'), segment('agent', 'Let me look.')],
      PATIENCE,
    ],
    [
      'ends a turn at once when the call ends',
      [THINKING, { type: 'call_ended', call_status: 'completed' }],
      0,
    ],
  ])('%s', (_title, frames, since) => {
    expect(overAfter(after(...frames))).toBe(since);
  });

  test('starts the next turn without the words of the previous one', () => {
    const first = after(segment('agent', 'Hello.'), segment('user', 'Hi'));
    const second = afterFrame(turnBegins(first, 50), segment('agent', 'Yes.') as CaptionFrame, 60);
    expect([first.said, second.said]).toEqual([['Hello.'], ['Yes.']]);
  });
});

test('reads earlier words from the history frame, and recognizes an answered call', () => {
  const connected = { type: 'connected', answered_at: '2026-11-02T05:00:00.000Z' };
  const history = {
    type: 'history',
    segments: [segment('agent', 'Hello.').segment, segment('user', 'Hi').segment],
  };
  expect(after(connected, history)).toMatchObject({ isAnswered: true, said: ['Hello.'], endedAs: null });
  expect(after({ ...connected, answered_at: null }).isAnswered).toBe(false);
  expect(after({ ...connected, answered_at: null }, { type: 'call_started' }).isAnswered).toBe(true);
});
