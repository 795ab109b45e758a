import { PAUSE_JUDGED } from '../../../../agent/session/turns/end-of-turn-model';
import { judgedPauses } from '../../../../verify/bench/voice/judged-pauses';

const line = (callId: string, time: number, silence_ms: number): string =>
  JSON.stringify({ level: 20, time, call_id: callId, judgement: 'any', silence_ms, msg: PAUSE_JUDGED });

test('the judgements of one call are read from the log of all, by the clock of the benchmark', () => {
  const now = Date.now();
  const log = [
    'a line of a library',
    line('web-1', now, 500),
    line('web-10', now, 700),
    JSON.stringify({ level: 30, time: now, call_id: 'web-1', msg: 'another' }),
    line('web-1', now + 250, 1_500),
    '',
  ].join('\n');
  const pauses = judgedPauses(log, 'web-1');
  expect(pauses.map(({ silenceMs }) => silenceMs)).toEqual([500, 1_500]);
  expect(pauses[0]!.atMs).toBeCloseTo(now - performance.timeOrigin, 3);
});
