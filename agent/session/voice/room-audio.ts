/** Connects the SDK's audio output and input to the room. */
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import type { NoiseSuppressor } from '../../audio/noise-suppressor';
import { msOf, SAMPLE_RATE, type Samples } from '../../audio/pcm';
import { soundOf, type SdkFrame, frameOf } from '../../audio/sdk-frames';
import type { OutputMixer, AudioSink } from './output-mixer';

/** Average duration of a spoken character. It is similar in every language. */
const MS_PER_CHARACTER = 65;

/** An utterance of the agent, from the first captured frame to the flush. */
interface Utterance {
  capturedMs: number;
  sentMs: number;
  isWhole: boolean;
  startedAt: number | null;
  /** Set once the whole utterance is queued. */
  ending: NodeJS.Timeout | null;
}

/** Plays speech in the room, and reports how much of it was played. */
export class RoomAudioOutput extends voice.AudioOutput {
  private utterance: Utterance | null = null;
  private words = '';
  private durationMs: number | null = null;
  /** Reasons for which speech is paused: the SDK paused it, or the user made a sound. */
  private readonly waits = { sdk: false, sound: false };
  /** The last interrupted utterance, and the part of it that was played. */
  lastInterrupted: { words: string; played: string } | null = null;

  constructor(
    private readonly mixer: OutputMixer,
    private readonly sink: Pick<AudioSink, 'queuedMs'>,
  ) {
    super(SAMPLE_RATE, undefined, { pause: true });
  }

  /** Sets the words of the current utterance that are known so far. */
  setWords(words: string): void {
    this.words = words;
  }

  /** Sets the total duration of the current utterance. Null while unknown. */
  setDuration(durationMs: number | null): void {
    this.durationMs = durationMs;
  }

  override async captureFrame(frame: SdkFrame): Promise<void> {
    if (this.utterance?.isWhole === true) await this.waitForPlayout();
    await super.captureFrame(frame);
    this.utterance ??= { capturedMs: 0, sentMs: 0, isWhole: false, startedAt: null, ending: null };
    const samples = soundOf(frame);
    this.utterance.capturedMs += msOf(samples.length);
    await this.mixer.write(samples);
  }

  override flush(): void {
    super.flush();
    if (this.utterance === null) return;
    this.utterance.isWhole = true;
    this.finishWhenPlayed();
  }

  clearBuffer(): void {
    const { utterance } = this;
    if (utterance === null) return;
    super.flush();
    const unplayedMs = this.sink.queuedMs;
    this.mixer.clear();
    const playedMs = Math.max(0, utterance.sentMs - unplayedMs);
    this.finish(utterance, playedMs, true);
  }

  override pause(): void {
    this.setWaits('sdk', true);
  }

  override resume(): void {
    this.setWaits('sdk', false);
  }

  /** Pauses the current utterance until `release`. Returns false when there is none. */
  hold(): boolean {
    if (this.utterance === null) return false;
    this.setWaits('sound', true);
    return true;
  }

  release(): void {
    this.setWaits('sound', false);
  }

  /** True while the current utterance is paused. */
  get isPaused(): boolean {
    return (this.waits.sdk || this.waits.sound) && this.utterance !== null;
  }

  /** Milliseconds of the current utterance that remain to be played. 0 without an utterance, null while unknown. */
  get remainingMs(): number | null {
    const { utterance, durationMs } = this;
    if (utterance === null) return 0;
    const wholeMs = utterance.isWhole ? utterance.capturedMs : durationMs;
    return wholeMs === null ? null : Math.max(0, wholeMs - utterance.sentMs + this.sink.queuedMs);
  }

  /** The mixer calls this when it has queued speech in the room. */
  onSent(speechMs: number): void {
    const { utterance } = this;
    if (utterance === null || speechMs === 0) return;
    if (utterance.startedAt === null) {
      utterance.startedAt = Date.now();
      this.onPlaybackStarted(utterance.startedAt);
    }
    utterance.sentMs += speechMs;
    this.finishWhenPlayed();
  }

  private setWaits(reason: 'sdk' | 'sound', isWaiting: boolean): void {
    this.waits[reason] = isWaiting;
    if (!this.waits.sdk && !this.waits.sound) return this.mixer.resume();
    const takenBackMs = this.mixer.pause();
    const { utterance } = this;
    if (utterance === null || takenBackMs === 0) return;
    utterance.sentMs -= takenBackMs;
    if (utterance.ending !== null) clearTimeout(utterance.ending);
    utterance.ending = null;
  }

  private finishWhenPlayed(): void {
    const { utterance } = this;
    if (utterance === null || !utterance.isWhole || this.mixer.waitingMs > 0 || utterance.ending !== null)
      return;
    // The speech ends when the room's queue is empty. Take its length now, because noise may follow without a gap.
    utterance.ending = setTimeout(
      () => this.finish(utterance, utterance.capturedMs, false),
      this.sink.queuedMs,
    );
  }

  private finish(utterance: Utterance, playedMs: number, interrupted: boolean): void {
    if (this.utterance !== utterance) return;
    if (utterance.ending !== null) clearTimeout(utterance.ending);
    this.utterance = null;
    this.release();
    const { words, durationMs } = this;
    this.words = '';
    this.durationMs = null;
    const known =
      durationMs === null
        ? { capturedMs: utterance.capturedMs, isWhole: utterance.isWhole }
        : { capturedMs: durationMs, isWhole: true };
    const synchronizedTranscript = interrupted ? playedTranscript(words, { playedMs, ...known }) : undefined;
    if (synchronizedTranscript !== undefined)
      this.lastInterrupted = { words, played: synchronizedTranscript };
    this.onPlaybackFinished({
      playbackPosition: playedMs / 1000,
      interrupted,
      ...(synchronizedTranscript !== undefined && { synchronizedTranscript }),
    });
  }
}

/**
 * Returns the part of interrupted words that was played, in proportion to the played audio and in whole words. If TTS was still running,
 * estimates the length of the whole audio.
 */
export function playedTranscript(
  words: string,
  { playedMs, capturedMs, isWhole }: { playedMs: number; capturedMs: number; isWhole: boolean },
): string {
  const soundMs = isWhole ? capturedMs : Math.max(capturedMs, words.length * MS_PER_CHARACTER);
  if (soundMs <= 0 || playedMs <= 0) return '';
  const characters = Math.round(words.length * Math.min(1, playedMs / soundMs));
  if (characters >= words.length) return words.trim();
  const played = words.slice(0, characters);
  const isMidWord = /\S$/.test(played) && /^\S/.test(words.slice(characters));
  return (isMidWord ? played.replace(/\S+$/, '') : played).trim();
}

/** Receives the user's audio from the room. */
export class RoomAudioInput extends voice.AudioInput {
  private controller: ReadableStreamDefaultController<SdkFrame> | null = null;

  /** Without a suppressor, the audio is passed on unchanged. */
  constructor(private readonly suppressor: Pick<NoiseSuppressor, 'process'> | null = null) {
    super();
    const received = new ReadableStream<SdkFrame>({
      start: (controller) => void (this.controller = controller),
    });
    this.multiStream.addInputStream(received);
  }

  push(samples: Samples): void {
    const heard = this.suppressor === null ? samples : this.suppressor.process(samples);
    if (heard.length > 0) this.controller?.enqueue(frameOf(heard));
  }

  end(): void {
    this.controller?.close();
    this.controller = null;
  }
}
