import { payloadsOf } from '../../api/calls/live-captions/relay';
import { readTarget } from '../../api/calls/live-captions/url';
import { readLiveItems } from '../../domain/live-updates';

const item = (text: string) =>
  JSON.stringify({
    callId: 'outbound-1-a',
    update: { kind: 'transcript', speaker: 'user', text, at: '2026-11-02T05:00:00Z' },
  });

describe('live updates between processes', () => {
  test.each([
    ['none', []],
    ['a few', ['a', 'b', 'c']],
    ['very many', Array.from({ length: 500 }, (_none, n) => `line ${n}`)],
    [
      'long ones in letters of three bytes',
      Array.from({ length: 9 }, (_none, n) => `${n}${'ज'.repeat(1_999)}`),
    ],
  ])(
    'packs live updates completely and in order into payloads that Postgres accepts: %s',
    (_how_many, texts) => {
      const payloads = payloadsOf(texts.map(item));
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      expect(payloads.flatMap(readLiveItems).map(({ update }) => update.text)).toEqual(texts);
    },
  );

  test('drops only a live update that is too long for a payload', () => {
    const payloads = payloadsOf([item('a'), item('x'.repeat(8_000)), item('b')]);
    expect(payloads.flatMap(readLiveItems).map(({ update }) => update.text)).toEqual(['a', 'b']);
  });

  test.each([
    'no JSON',
    '{}',
    '[null, 1, {}, {"callId": "a"}, {"callId": "a", "update": null}]',
    '[{"callId": "a", "update": {"kind": "sang", "at": "x"}}]',
    '[{"callId": "a", "update": {"kind": "transcript", "at": "x", "speaker": "them"}}]',
    '[{"callId": "a", "update": {"kind": "transcript", "at": "x", "text": 1}}]',
    '[{"callId": 1, "update": {"kind": "transcript", "at": "x"}}]',
  ])('ignores malformed live updates, such as those of another release: %s', (payload) => {
    expect(readLiveItems(payload)).toEqual([]);
  });
});

describe('a URL of live captions', () => {
  const PATH = '/api/live-transcripts/ws/tok_en-1/room_1.a-b';

  test.each([
    [PATH, 0],
    [`${PATH}?after=17`, 17],
    [`${PATH}?after=17&after=18`, 17],
    [`${PATH}?other=1`, 0],
    [`${PATH}?after=`, null],
    [`${PATH}?after=-1`, null],
    [`${PATH}?after=1e3`, null],
    [`${PATH}?after=1234567890`, null],
  ])('reads the URL: %s', (url, after) => {
    expect(readTarget(url)).toEqual({ token: 'tok_en-1', callId: 'room_1.a-b', after });
  });

  test.each([
    '',
    '/',
    `${PATH}/`,
    `/x${PATH}`,
    PATH.replace('tok_en-1', ''),
    PATH.replace('tok_en-1', 'tok%2Fen'),
    PATH.replace('room_1', 'room 1'),
    `/api/live-transcripts/ws/token/${'x'.repeat(129)}`,
  ])('rejects the URL: %s', (url) => {
    expect(readTarget(url)).toBeNull();
  });
});
