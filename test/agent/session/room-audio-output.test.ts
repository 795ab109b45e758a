import { frameOf } from '../../../agent/audio/sdk-frames';
import { samplesIn } from '../../../agent/audio/pcm';
import { OutputMixer } from '../../../agent/session/voice/output-mixer';
import { RoomAudioOutput } from '../../../agent/session/voice/room-audio-output';
import { initializeLogger } from '../../../agent/session/voice/sdk-logger';

initializeLogger({ pretty: false, level: 'silent' });

const WORDS = 'One two three four.';
const SOUND_MS = 760;

/** What is kept of the words when they are interrupted after 760 ms, all of which were played. */
async function keptOf(durationMs: number | null): Promise<string | undefined> {
  let sentMs = 0;
  let wake: () => void = () => undefined;
  const sink = { send: () => Promise.resolve(), queuedMs: 0, clearQueue: () => undefined };
  const mixer = new OutputMixer(sink, (_samples, speechMs) => {
    sentMs += speechMs;
    output.onSent(speechMs);
    if (sentMs >= SOUND_MS) wake();
  });
  const output = new RoomAudioOutput(mixer, sink);
  const sent = new Promise<void>((resolve) => (wake = resolve));
  output.setWords(WORDS);
  output.setDuration(durationMs);
  await output.captureFrame(frameOf(new Int16Array(samplesIn(SOUND_MS))));
  await sent;
  output.clearBuffer();
  mixer.stop();
  return output.lastInterrupted?.played;
}

test('of interrupted words the share of their whole audio is kept where that was synthesised before', async () => {
  expect(await keptOf(1_000)).toBe('One two three');
});

test('otherwise their audio is as long as such words usually are', async () => {
  expect(await keptOf(null)).toBe('One two');
});
