/** One conversation between a small room and the API's side over real HTTP. */
import { converse } from '../../../agent/conversation/conversation';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { PlatformEvents } from '../../../agent/platform/platform-events';
import { briefOf, SECRET, SmallPlatform } from './small-platform';
import { CALLEE, SmallRoom } from './small-room';

export const CALL = 'outbound-1-a';
export const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: jest.fn() };

export class Rig {
  readonly room = new SmallRoom();
  readonly stopping = new AbortController();

  private constructor(readonly platform: SmallPlatform) {}

  static async open(): Promise<Rig> {
    LOG.error.mockClear();
    const platform = await SmallPlatform.open();
    platform.briefs.set(CALL, briefOf(CALL));
    return new Rig(platform);
  }

  run(callId: string | null = CALL, settings = { silenceMs: 60_000, joinLimitMs: 60_000 }): Promise<void> {
    const { platform, room } = this;
    const access = { apiUrl: platform.url, carrierSecret: SECRET };
    return converse({
      callId,
      room,
      platform: new PlatformApi(access),
      eventsOf: (id) => new PlatformEvents({ ...access, callId: id, roomName: room.name, log: LOG }),
      settings,
      patience: { tellMs: 300, knownMs: 700 },
      stopping: this.stopping.signal,
      log: LOG,
    });
  }

  /** Whenever the conversation has done this. */
  after(deed: string, act: () => void): void {
    const before = this.room.onDeed;
    this.room.onDeed = (done) => {
      before(done);
      if (done === deed) act();
    };
  }

  answerWhenReady(): void {
    this.after('sayReady', () => {
      for (const status of ['dialing', 'ringing', 'active']) this.room.come(CALLEE, status);
    });
  }

  /** The callee leaves, and the platform knows. */
  hangUp(reason?: string): void {
    this.platform.briefs.set(CALL, 'over');
    this.room.go(CALLEE, reason);
  }
}
