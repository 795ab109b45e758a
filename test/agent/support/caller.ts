/** A participant who sends speech-like sound with silence in between, in real time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Participant } from '../../../agent/session/state/room-port';
import { SAMPLE_RATE, samplesIn } from '../../../agent/audio/pcm';
import { speechLike } from '../../../dev/model-stand-in/speech';
import { CALLEE, type FakeRoom } from './fake-room';

const FRAME_MS = 20;
/** A longer delay is a stall. Timers of a busy process are less late than this. */
const STALL_MS = 100;

export class Caller {
  private waiting: Int16Array[] = [];
  private isGone = false;

  constructor(
    private readonly room: FakeRoom,
    private readonly participant: Participant = CALLEE,
  ) {
    void this.run();
  }

  /** Sends speech-like sound of a duration in milliseconds, or the given samples. Resolves once they have been sent in real time. */
  async speak(speech: number | Int16Array): Promise<void> {
    const sound = typeof speech === 'number' ? speechLike(speech, SAMPLE_RATE) : speech;
    const length = samplesIn(FRAME_MS);
    for (let at = 0; at < sound.length; at += length) this.waiting.push(sound.slice(at, at + length));
    while (this.waiting.length > 0 && !this.isGone) await sleep(FRAME_MS);
  }

  leave(): void {
    this.isGone = true;
  }

  /** Sends one frame per 20 ms on average, even on a slow machine. After a stall, it neither speaks nor pauses faster to catch up. */
  private async run(): Promise<void> {
    let dueAt = performance.now();
    while (!this.isGone) {
      this.room.sendAudio(this.participant, this.waiting.shift() ?? new Int16Array(samplesIn(FRAME_MS)));
      dueAt += FRAME_MS;
      const lateMs = performance.now() - dueAt;
      if (lateMs > STALL_MS) dueAt += lateMs;
      else if (lateMs < 0) await sleep(-lateMs);
    }
  }
}
