/** One conversation between a small room and the API's side over real HTTP. */
import { initializeLogger } from '../../../agent/voice/sdk-log';
import type { Live, Stage } from '../../../agent/conversation/call';
import { converse } from '../../../agent/conversation/conversation';
import { ConversationMetrics } from '../../../agent/metrics/conversation-metrics';
import type { MetricsNews } from '../../../agent/metrics/news';
import { createGuard } from '../../../agent/network/guarded-agent';
import type { SpeechSettings } from '../../../agent/settings';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { PlatformEvents } from '../../../agent/platform/platform-events';
import { briefOf, SECRET, SmallPlatform } from './small-platform';
import { CALLEE, SmallRoom } from './small-room';

export const CALL = 'outbound-1-a';
export const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: jest.fn() };

/** Neither keys nor models. */
export const NO_SPEECH: SpeechSettings = {
  endpoints: {},
  keys: { deepgram: null, elevenlabs: null, cartesia: null, sarvam: null },
  defaults: { stt: null, llm: null, tts: null },
};
const SETTINGS = { silenceMs: 60_000, joinLimitMs: 60_000, customLlmFirstTokenMs: 5_000, speech: NO_SPEECH };

// The SDK insists on a logger.
initializeLogger({ pretty: false, level: 'silent' });

export class Rig {
  readonly room = new SmallRoom();
  readonly stopping = new AbortController();
  /** That a client's configuration may lead to although they are private. */
  readonly allowedHosts: string[] = [];
  /** What listeners were told. */
  readonly live: Parameters<Live['tell']>[] = [];

  /** For Prometheus. */
  readonly counted: MetricsNews[] = [];

  private constructor(readonly platform: SmallPlatform) {}

  static async open(): Promise<Rig> {
    LOG.error.mockClear();
    const platform = await SmallPlatform.open();
    platform.briefs.set(CALL, briefOf(CALL));
    return new Rig(platform);
  }

  run(callId: string | null = CALL, changes: Partial<Stage['settings']> = {}): Promise<void> {
    const { platform, room } = this;
    const access = { apiUrl: platform.url, carrierSecret: SECRET };
    return converse({
      callId,
      room,
      platform: new PlatformApi(access),
      eventsOf: (id) => new PlatformEvents({ ...access, callId: id, roomName: room.name, log: LOG }),
      liveOf: () => ({ tell: (...news) => void this.live.push(news), close: () => undefined }),
      guard: createGuard({ allowedHosts: this.allowedHosts }),
      settings: { ...SETTINGS, ...changes },
      patience: { tellMs: 300, knownMs: 700 },
      stopping: this.stopping.signal,
      metrics: new ConversationMetrics((news) => void this.counted.push(news)),
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
