/** A fallback of two voices, and the probes that the SDK sends to a failed one. */
import '../support/sdk-rejections';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '../../../agent/session/voice/sdk-logger';
import { OpenAiTts } from '../../../agent/providers/openai-voice';
import { StreamedTts } from '../../../agent/providers/speech-pieces';
import { TtsFallback } from '../../../agent/providers/fallbacks';
import { HeldVoice } from '../support/held-voice';

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
  test('sends no further request for speech that was in progress', async () => {
    const stream = fallback.stream();
    stream.pushText(GOOD_DAY);
    stream.endInput();
    await server.untilAsked(GOOD_DAY);
    await fallback.close();
    await sleep(4 * RECOVERY_DELAY_MS);
    expect(server.asked).toEqual([GOOD_DAY]);
  });

  test('stops probing a failed voice, even when two recoveries of it overlapped', async () => {
    for (let probes = 1; probes <= 2; probes += 1) {
      fallback.markUnAvailable(0);
      await server.refuse(400);
      while (fallback.status[0]?.recoveringTask !== null) await new Promise(setImmediate);
    }
    await fallback.close();
    await sleep(4 * RECOVERY_DELAY_MS);
    expect(server.asked).toHaveLength(2);
  });
});
