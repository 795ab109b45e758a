/** The SDK's way out for sound: what is said is played through the room, and how much of it was heard is told. */
import { voice } from '@livekit/agents';
import { msOf, SAMPLE_RATE } from '../sound/pcm';
import { soundOf, type SdkFrame } from './frames';
import type { Speaker, VoiceLine } from './speaker';
import { wordsHeard } from './words-heard';

/** What is said in one breath: from the first frame that is captured to the flush. */
interface Saying {
  capturedMs: number;
  sentMs: number;
  isWhole: boolean;
  startedAt: number | null;
  /** Set when all of it was handed over. */
  ending: NodeJS.Timeout | null;
}

export class Mouth extends voice.AudioOutput {
  private saying: Saying | null = null;
  private words = '';
  /** What was interrupted last: its words, and those that were heard of them. */
  cutShort: { words: string; heard: string } | null = null;

  constructor(
    private readonly speaker: Speaker,
    private readonly line: Pick<VoiceLine, 'queuedMs'>,
  ) {
    super(SAMPLE_RATE, undefined, { pause: true });
  }

  /** The words of what is being said, as far as they are known. */
  setWords(words: string): void {
    this.words = words;
  }

  override async captureFrame(frame: SdkFrame): Promise<void> {
    if (this.saying?.isWhole === true) await this.waitForPlayout();
    await super.captureFrame(frame);
    this.saying ??= { capturedMs: 0, sentMs: 0, isWhole: false, startedAt: null, ending: null };
    const samples = soundOf(frame);
    this.saying.capturedMs += msOf(samples.length);
    await this.speaker.speak(samples);
  }

  override flush(): void {
    super.flush();
    if (this.saying === null) return;
    this.saying.isWhole = true;
    this.endWhenHeard();
  }

  clearBuffer(): void {
    const { saying } = this;
    if (saying === null) return;
    super.flush();
    const unheardMs = this.line.queuedMs;
    this.speaker.clear();
    const heardMs = Math.max(0, saying.sentMs - unheardMs);
    this.end(saying, heardMs, true);
  }

  override pause(): void {
    this.speaker.pause();
  }

  override resume(): void {
    this.speaker.resume();
  }

  /** Of the speaker: so much speech was handed over to the room. */
  onSent(speechMs: number): void {
    const { saying } = this;
    if (saying === null || speechMs === 0) return;
    if (saying.startedAt === null) {
      saying.startedAt = Date.now();
      this.onPlaybackStarted(saying.startedAt);
    }
    saying.sentMs += speechMs;
    this.endWhenHeard();
  }

  private endWhenHeard(): void {
    const { saying } = this;
    if (saying === null || !saying.isWhole || this.speaker.waitingMs > 0 || saying.ending !== null) return;
    // What was handed over last is heard after what the room holds now, and noise may follow it at once.
    saying.ending = setTimeout(() => this.end(saying, saying.capturedMs, false), this.line.queuedMs);
  }

  private end(saying: Saying, heardMs: number, interrupted: boolean): void {
    if (this.saying !== saying) return;
    if (saying.ending !== null) clearTimeout(saying.ending);
    this.saying = null;
    const words = this.words;
    this.words = '';
    const synchronizedTranscript = interrupted
      ? wordsHeard(words, { heardMs, capturedMs: saying.capturedMs, isWhole: saying.isWhole })
      : undefined;
    if (synchronizedTranscript !== undefined) this.cutShort = { words, heard: synchronizedTranscript };
    this.onPlaybackFinished({
      playbackPosition: heardMs / 1000,
      interrupted,
      ...(synchronizedTranscript !== undefined && { synchronizedTranscript }),
    });
  }
}
