/** Recognition by the first model that succeeds, and the listeners it leaves on a conversation's signal. */
import { getEventListeners } from 'node:events';
import { normalizeLanguage, stt } from '@livekit/agents';
import { SttFallback } from '../../../agent/providers/fallbacks';

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
    // OpenAI's client adds such a listener and never removes it.
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

const away = (): Promise<never> => Promise.reject(new Error('away'));

test('tries the next model when one fails', async () => {
  const both: [Recogniser, Recogniser] = [
    new Recogniser('first', away),
    new Recogniser('second', () => Promise.resolve(heard('yes'))),
  ];
  await expect(new SttFallback(both).recognize([])).resolves.toEqual(heard('yes'));
});

test("leaves no listener on a conversation's signal", async () => {
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
  const other = new Recogniser('other', away);
  const recognising = new SttFallback([hanging, other]).recognize([], conversation.signal);
  conversation.abort();
  await expect(recognising).rejects.toThrow('broken off');
  expect(other.signals).toEqual([]);
});
