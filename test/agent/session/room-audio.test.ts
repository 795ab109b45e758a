import { frameOf } from '../../../agent/audio/sdk-frames';
import { msOf, samplesIn } from '../../../agent/audio/pcm';
import { OutputMixer } from '../../../agent/session/voice/output-mixer';
import { RoomAudioOutput } from '../../../agent/session/voice/room-audio';
import { initializeLogger } from '@livekit/agents';

initializeLogger({ pretty: false, level: 'silent' });

const WORDS = 'One two three four.';
const SOUND_MS = 760;

/** A room with an unlimited queue in steps of 20 ms. It plays only when a test calls `play`. */
class Queue {
  /** The length of each sent frame. */
  readonly framesMs: number[] = [];
  queued: number[] = [];
  played: number[] = [];
  dropped = 0;
  private wake: () => void = () => undefined;

  get queuedMs(): number {
    return this.queued.length * 20;
  }
  send(samples: Int16Array): Promise<void> {
    this.framesMs.push(msOf(samples.length));
    for (let at = 0; at < samples.length; at += samplesIn(20)) this.queued.push(samples[at] ?? 0);
    this.wake();
    return Promise.resolve();
  }
  clearQueue(): void {
    this.queued = [];
  }
  play(frames = Infinity): void {
    this.played.push(...this.queued.splice(0, frames));
  }
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.wake = resolve));
  }
}

function opened() {
  const room = new Queue();
  const mixer: OutputMixer = new OutputMixer(room, {
    sent: (_samples, speechMs) => output.onSent(speechMs),
    dropped: (ms) => (room.dropped += ms),
  });
  const output: RoomAudioOutput = new RoomAudioOutput(mixer, room);
  return { room, mixer, output };
}

/** Samples that contain the number of their 20 ms frame, starting at 1. */
const numbered = (ms: number) =>
  frameOf(Int16Array.from({ length: samplesIn(ms) }, (_none, at) => 1 + Math.floor(at / samplesIn(20))));

/** Returns the words that are kept when the agent is interrupted after 760 ms, all of which were played. */
async function keptOf(durationMs: number | null): Promise<string | undefined> {
  const { room, mixer, output } = opened();
  output.setWords(WORDS);
  output.setDuration(durationMs);
  await output.captureFrame(numbered(SOUND_MS));
  await room.until(() => room.queuedMs === SOUND_MS);
  room.play();
  output.clearBuffer();
  mixer.stop();
  return output.lastInterrupted?.played;
}

test('keeps the played share of interrupted words when their audio was prepared', async () => {
  expect(await keptOf(1_000)).toBe('One two three');
});

test('estimates the length of audio that is still being synthesised', async () => {
  expect(await keptOf(null)).toBe('One two');
});

/** Queues ten frames and plays four of them. */
async function halfPlayed() {
  const parts = opened();
  await parts.output.captureFrame(numbered(200));
  await parts.room.until(() => parts.room.queuedMs === 200);
  parts.room.play(4);
  return parts;
}

test('queues available speech in long frames, and shorter speech immediately', async () => {
  const { room, mixer, output } = opened();
  await output.captureFrame(numbered(150));
  await room.until(() => room.queuedMs === 160);
  await output.captureFrame(numbered(20));
  await room.until(() => room.queuedMs === 180);
  expect(room.framesMs).toEqual([60, 60, 20, 20, 20]);
  mixer.stop();
});

test('silences held speech immediately, and resumes it where it stopped', async () => {
  const { room, mixer, output } = await halfPlayed();
  expect(output.hold()).toBe(true);
  expect([room.queued, room.dropped, output.isPaused]).toEqual([[], 120, true]);
  output.release();
  await room.until(() => room.queuedMs === 120);
  room.play();
  expect(room.played).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  mixer.stop();
});

test('does not count held speech as played when it is interrupted', async () => {
  const { mixer, output } = await halfPlayed();
  output.setWords(WORDS);
  output.setDuration(200);
  output.hold();
  output.clearBuffer();
  expect(output.lastInterrupted?.played).toBe('One two');
  expect(output.isPaused).toBe(false);
  mixer.stop();
});

test('resumes only when neither the SDK nor a sound pauses speech', async () => {
  const { room, mixer, output } = await halfPlayed();
  output.hold();
  output.pause();
  output.release();
  expect(output.isPaused).toBe(true);
  output.resume();
  await room.until(() => room.queuedMs === 120);
  mixer.stop();
});

test('finishes held speech only after all of it has been played, even if its end was already queued', async () => {
  const { room, mixer, output } = await halfPlayed();
  const finished = jest.fn();
  output.on(RoomAudioOutput.EVENT_PLAYBACK_FINISHED, finished);
  output.flush();
  output.hold();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(finished).not.toHaveBeenCalled();
  output.release();
  await output.waitForPlayout();
  expect(finished.mock.calls).toEqual([
    [expect.objectContaining({ interrupted: false, playbackPosition: 0.2 })],
  ]);
  expect(room.queued).toEqual([5, 6, 7, 8, 9, 10]);
  mixer.stop();
});

test('returns the remaining time of speech once all of it is synthesised or its duration is known', async () => {
  const { mixer, output } = opened();
  expect(output.remainingMs).toBe(0);
  mixer.stop();
  const half = await halfPlayed();
  expect(half.output.remainingMs).toBeNull();
  half.output.setDuration(1_000);
  expect(half.output.remainingMs).toBe(920);
  half.output.flush();
  expect(half.output.remainingMs).toBe(120);
  half.output.hold();
  expect(half.output.remainingMs).toBe(120);
  half.mixer.stop();
});

test('does not block a writer while speech is held, so that the speech can be interrupted', async () => {
  const { room, mixer, output } = await halfPlayed();
  const written = output.captureFrame(numbered(10_000));
  output.hold();
  await written;
  expect(room.queued).toEqual([]);
  mixer.stop();
});

test('holds nothing while the agent is silent', () => {
  const { mixer, output } = opened();
  expect(output.hold()).toBe(false);
  mixer.stop();
});
