/** Runs a conversation between a fake room and the API over real HTTP. */
import { initializeLogger } from '@livekit/agents';
import type { LivePublisher, SessionContext } from '../../../agent/session/state/call';
import { converse } from '../../../agent/session/conversation';
import { ConversationMetrics, type MetricsMessage } from '../../../agent/metrics/conversation-metrics';
import { createGuard } from '../../../agent/network/guarded-agent';
import type { SpeechSettings } from '../../../agent/providers/speech-settings';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { PlatformEvents } from '../../../agent/platform/platform-events';
import { callContextOf, FakePlatform, SECRET, TICKET } from './fake-platform';
import { CALLEE, FakeRoom } from './fake-room';

export const CALL = 'outbound-1-a';
export const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: jest.fn() };

/** Settings without keys and models. */
export const NO_SPEECH: SpeechSettings = {
  endpoints: {},
  keys: { deepgram: null, elevenlabs: null, cartesia: null, sarvam: null },
  defaults: { stt: null, llm: null, tts: null },
};
const SETTINGS = {
  silenceMs: 60_000,
  joinLimitMs: 60_000,
  customLlmFirstTokenMs: 5_000,
  noiseSuppression: 'off',
  timeZone: 'Asia/Kolkata',
  speech: NO_SPEECH,
} as const;

// The SDK requires a logger.
initializeLogger({ pretty: false, level: 'silent' });

export class Rig {
  readonly room = new FakeRoom();
  readonly stopping = new AbortController();
  noAudioAfterMs = 60_000;
  /** How long a finished call waits for the platform before it leaves the room, in milliseconds. */
  flushMs = 3_000;
  /** Runs the end-of-turn model. */
  inference: SessionContext['inference'] = null;
  /** Private hosts that an organization's configuration can reach. */
  readonly allowedHosts: string[] = [];
  /** The published live updates. */
  readonly live: Parameters<LivePublisher['publish']>[] = [];

  /** The messages for Prometheus. */
  readonly counted: MetricsMessage[] = [];

  private constructor(readonly platform: FakePlatform) {}

  static async open(): Promise<Rig> {
    LOG.error.mockClear();
    const platform = await FakePlatform.open();
    platform.callContexts.set(CALL, callContextOf(CALL));
    return new Rig(platform);
  }

  run(callId: string | null = CALL, changes: Partial<SessionContext['settings']> = {}): Promise<void> {
    const { platform, room } = this;
    const access = { apiUrl: platform.url, secret: SECRET };
    return converse({
      callId,
      room,
      platform: new PlatformApi(access, callId === null ? '' : TICKET),
      eventsFor: (id, to) => new PlatformEvents({ ...to, callId: id, roomName: room.name, log: LOG }),
      livePublisherFor: () => ({
        publish: (...update) => void this.live.push(update),
        close: () => undefined,
      }),
      guard: createGuard({ allowedHosts: this.allowedHosts }),
      settings: { ...SETTINGS, ...changes },
      inference: this.inference,
      closeLimits: { flushMs: this.flushMs, endKnownMs: 700 },
      noAudioAfterMs: this.noAudioAfterMs,
      stopping: this.stopping.signal,
      metrics: new ConversationMetrics((update) => void this.counted.push(update)),
      log: LOG,
    });
  }

  /** Calls back each time the conversation has done `action`. */
  after(action: string, act: () => void): void {
    const before = this.room.onAction;
    this.room.onAction = (done) => {
      before(done);
      if (done === action) act();
    };
  }

  answerWhenReady(): void {
    this.after('publishReady', () => {
      for (const status of ['dialing', 'ringing', 'active']) this.room.addParticipant(CALLEE, status);
    });
  }

  /** The callee leaves, and the platform knows it. */
  hangUp(reason?: string): void {
    this.platform.callContexts.set(CALL, 'over');
    this.room.removeParticipant(CALLEE, reason);
  }
}
