/** Tests that the first working model recognises an utterance, and that no listeners remain on the conversation's signal. */
import '../support/sdk-rejections';
import { getEventListeners } from 'node:events';
import { normalizeLanguage, stt, initializeLogger } from '@livekit/agents';
import { SttFallback, TtsFallback } from '../../../agent/providers/fallbacks';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenAiTts } from '../../../agent/providers/openai-voice';
import { StreamedTts } from '../../../agent/providers/speech-pieces';
import { HeldVoice } from '../support/held-voice';

const heard = (text: string): stt.SpeechEvent => ({
  type: stt.SpeechEventType.FINAL_TRANSCRIPT,
  alternatives: [{ text, language: normalizeLanguage('en'), startTime: 0, endTime: 0, confidence: 1 }],
});

class Recogniser extends stt.STT {
  readonly signals: (AbortSignal | undefined)[] = [];

  constructor(
    override readonly label: string,
    private readonly answer: () => Promise<stt.SpeechEvent>,
  ) {
    super({ streaming: false, interimResults: false });
  }

  override recognize(_frame: unknown, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    // OpenAI's client adds such a listener too and never removes it.
    signal?.addEventListener('abort', () => undefined);
    this.signals.push(signal);
    return this.answer();
  }

  protected override _recognize(): never {
    throw new Error('not asked');
  }

  override stream(): never {
    throw new Error('whole utterances');
  }
}

const unreachable = (): Promise<never> => Promise.reject(new Error('unreachable'));

test('tries the next model when one fails', async () => {
  const both: [Recogniser, Recogniser] = [
    new Recogniser('first', unreachable),
    new Recogniser('second', () => Promise.resolve(heard('yes'))),
  ];
  await expect(new SttFallback(both).recognize([])).resolves.toEqual(heard('yes'));
});

test("leaves no listener on the conversation's signal", async () => {
  const { signal } = new AbortController();
  const recogniser = new SttFallback([new Recogniser('one', () => Promise.resolve(heard('yes')))]);
  for (let nth = 0; nth < 20; nth++) await recogniser.recognize([], signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('cancels a running request when the conversation ends, and tries no other model', async () => {
  const conversation = new AbortController();
  const hanging = new Recogniser(
    'hanging',
    () =>
      new Promise((_resolve, reject) => {
        hanging.signals[0]?.addEventListener('abort', () => reject(new Error('broken off')));
      }),
  );
  const other = new Recogniser('other', unreachable);
  const recognising = new SttFallback([hanging, other]).recognize([], conversation.signal);
  conversation.abort();
  await expect(recognising).rejects.toThrow('broken off');
  expect(other.signals).toEqual([]);
});

initializeLogger({ pretty: false, level: 'silent' });

const RECOVERY_DELAY_MS = 50;
const GOOD_DAY = 'Good day.';

let server: HeldVoice;
let fallback: TtsFallback;

beforeEach(async () => {
  server = await HeldVoice.open();
  fallback = new TtsFallback({ ttsInstances: [voice(), voice()], recoveryDelayMs: RECOVERY_DELAY_MS });
  fallback.on('error', () => undefined);
});
afterEach(() => server.close());

function voice(): StreamedTts {
  const made = new StreamedTts(
    new OpenAiTts({ apiKey: 'key', baseURL: server.url, model: 'mouth', voice: 'nova' }),
  );
  made.on('error', () => undefined);
  return made;
}

describe('a closed TtsFallback', () => {
  test('sends no more requests for speech that was in progress', async () => {
    const stream = fallback.stream();
    stream.pushText(GOOD_DAY);
    stream.endInput();
    await server.untilRequested(GOOD_DAY);
    await fallback.close();
    await sleep(4 * RECOVERY_DELAY_MS);
    expect(server.requested).toEqual([GOOD_DAY]);
  });

  test('stops probing a failed voice, even when two of its recovery attempts overlapped', async () => {
    for (let probes = 1; probes <= 2; probes += 1) {
      fallback.markUnAvailable(0);
      await server.reject(400);
      while (fallback.status[0]?.recoveringTask !== null) await new Promise(setImmediate);
    }
    await fallback.close();
    await sleep(4 * RECOVERY_DELAY_MS);
    expect(server.requested).toHaveLength(2);
  });
});
