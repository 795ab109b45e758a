import { afterFrame, NOTHING_SAID } from '../../../console/src/calls/live-lines';
import type { CaptionFrame, CaptionSegment } from '../../../sdk/typescript/generated';

const CALL = 'outbound-1';
const ANSWERED = '2026-11-02T05:00:00.000Z';

const segment = (
  text: string,
  seconds: number,
  isFinal: boolean,
  speaker: CaptionSegment['speaker'] = 'user',
): CaptionSegment => ({
  id: text,
  call_id: CALL,
  event_type: isFinal ? 'final' : 'interim',
  speaker,
  text,
  timestamp: Date.parse(ANSWERED) / 1000 + seconds,
  is_final: isFinal,
  segment_index: 0,
  was_interrupted: false,
  confidence: null,
  language: null,
  seq: null,
});
const said = (text: string, seconds: number, isFinal = true): CaptionFrame => ({
  type: 'transcript',
  call_id: CALL,
  segment: segment(text, seconds, isFinal),
});

describe('a live conversation', () => {
  const connected: CaptionFrame = {
    type: 'connected',
    call_id: CALL,
    call_status: 'in progress',
    answered_at: ANSWERED,
  };
  const history: CaptionFrame = { type: 'history', call_id: CALL, segments: [segment('Hello', 1, true)] };

  test('shows earlier words with the time since the call was answered', () => {
    const lines = [connected, history].reduce(afterFrame, NOTHING_SAID);
    expect(lines.said).toMatchObject([{ role: 'user', content: 'Hello', start_ms: 1000 }]);
  });

  test('shows interim words until the final words replace them', () => {
    const during = [connected, said('I wa', 2, false), said('I want', 2, false)].reduce(
      afterFrame,
      NOTHING_SAID,
    );
    expect([during.said, during.saying.map(({ content }) => content)]).toEqual([[], ['I want']]);
    const after = afterFrame(during, said('I want a refund', 2));
    expect([after.said.map(({ content }) => content), after.saying]).toEqual([['I want a refund'], []]);
  });
});
