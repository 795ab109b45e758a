/** An agent's own session on a line of the benchmark. It hears by the local recogniser, and its voice needs no time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import { voice } from '@livekit/agents';
import { ConversationMetrics } from '../../../agent/metrics/conversation-metrics';
import { createGuard } from '../../../agent/network/guarded-agent';
import { readBrief } from '../../../agent/platform/brief';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { PlatformEvents } from '../../../agent/platform/platform-events';
import type { CallContext } from '../../../agent/session/state/call-context';
import { Recorder } from '../../../agent/session/state/recorder';
import { RoomRecordWriter } from '../../../agent/session/state/room-record';
import { SessionState } from '../../../agent/session/state/session-state';
import { PreparedSpeech } from '../../../agent/session/voice/prepared-speech';
import { closeModels, prepareModels } from '../../../agent/session/voice/session-models';
import { TurnMetrics } from '../../../agent/session/voice/turn-metrics';
import { VoiceSession } from '../../../agent/session/voice/voice-session';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { CALLER, Line } from './line';

const SILENT_LOG = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const DAY_MS = 24 * 3_600_000;

export interface ConversationOptions {
  /** Of the recogniser and of the voice, ending in `/v1`. */
  urls: { hearing: string; speaking: string };
  closing: ClosingOrder;
}

/** A minute of the stand-in's voice. */
const MONOLOGUE = 'And this is what I have to say about it, at length. '.repeat(20);

export interface Conversation {
  line: Line;
  session: VoiceSession;
  /** Its synthesis is over before it is said: the voice's client rejects without a listener when it is interrupted. */
  monologue: PreparedSpeech;
  /** Resolves when the agent has answered the first turn. */
  answered: Promise<void>;
  /** What was said of each interrupted speech, as the transcript has it. */
  interrupted: string[];
  /** The words that the agent took for a turn. */
  heard: string[];
}

export async function startConversation({ urls, closing }: ConversationOptions): Promise<Conversation> {
  const line = new Line();
  const call = await callOn(line, { urls, closing });
  const models = await prepareModels(call);
  closing.add('the models of a conversation', () => closeModels(models));
  const session = new VoiceSession(call, new Recorder(call), models, new TurnMetrics());
  closing.add('a conversation', () => session.close());
  await session.start();
  session.turnGate.open();
  const interrupted: string[] = [];
  session.agentSession.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant' && item.interrupted)
      interrupted.push(item.textContent ?? '');
  });
  const heard: string[] = [];
  session.agentSession.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ transcript, isFinal }) => {
    if (isFinal) heard.push(transcript);
  });
  const answered = new Promise<void>((resolve) => {
    session.agentSession.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === 'message' && item.role === 'assistant') resolve();
    });
  });
  const running = line.run();
  closing.add('the line', () => {
    line.close();
    return running;
  });
  if (models.tts === null) throw new Error('the agent has no voice');
  const monologue = new PreparedSpeech(models.tts, MONOLOGUE, ReadableStream.from([MONOLOGUE]));
  return { line, session, monologue, answered, interrupted, heard };
}

async function callOn(line: Line, { urls, closing }: ConversationOptions): Promise<CallContext> {
  const access = { apiUrl: await anyAnswer(closing), secret: '' };
  const state = new SessionState();
  state.update({ participant: CALLER, answeredAt: Date.now() });
  const events = new PlatformEvents({ ...access, callId: 'call', roomName: line.name, log: SILENT_LOG });
  // Retries would keep the process.
  closing.add('the events', () => Promise.resolve(events.abandon()));
  const live = { publish: () => undefined, close: () => undefined };
  return {
    brief: readBrief({
      call_id: 'call',
      max_talk_s: DAY_MS,
      ring_timeout_s: 60,
      medium: 'webrtc',
      agent: { config: { persona: { senses_capabilities: SENSES } } },
    }),
    room: line,
    platform: new PlatformApi(access, ''),
    eventsFor: () => events,
    events,
    livePublisherFor: () => live,
    live,
    record: new RoomRecordWriter('', () => Promise.resolve()),
    state,
    guard: createGuard({ allowedHosts: [] }),
    settings: {
      silenceMs: DAY_MS,
      joinLimitMs: DAY_MS,
      customLlmFirstTokenMs: DAY_MS,
      timeZone: 'Asia/Kolkata',
      noiseSuppression: 'off',
      speech: {
        endpoints: {
          local: { url: urls.hearing, apiKey: null },
          openai: { url: urls.speaking, apiKey: null },
        },
        keys: { deepgram: null, elevenlabs: null, cartesia: null, sarvam: null },
        defaults: { stt: null, llm: null, tts: null },
      },
    },
    inference: null,
    closeLimits: { flushMs: 0, endKnownMs: 0 },
    metrics: new ConversationMetrics(() => undefined),
    log: SILENT_LOG,
  };
}

const SENSES = {
  language: 'en',
  ears: { stt: { primary: { provider: 'local', model: 'whisper' } } },
  mouth: { tts: { primary: { provider: 'openai', model: 'any' } } },
};

/** Accepts every event. Returns its address. */
async function anyAnswer(closing: ClosingOrder): Promise<string> {
  const server = createServer((_request, response) => response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.add('the platform', async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the platform has no port');
  return `http://127.0.0.1:${address.port}`;
}
