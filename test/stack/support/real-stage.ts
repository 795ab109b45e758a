/** Plays a scene in a real room, with LiveKit's server, the agent in its process, and a caller whose audio goes over the network. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as rtc from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { converse } from '../../../agent/session/conversation';
import { LiveKitRoom } from '../../../agent/livekit/livekit-room';
import { silenceParticipantSdk } from '../../../agent/log';
import { ConversationMetrics } from '../../../agent/metrics/conversation-metrics';
import { createGuard } from '../../../agent/network/guarded-agent';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { PlatformEvents } from '../../../agent/platform/platform-events';
import { isAudible, SAMPLE_RATE, samplesIn } from '../../../agent/audio/pcm';
import type { ModelStandIn } from '../../../dev/model-stand-in/server';
import { speechLike } from '../../../dev/model-stand-in/speech';
import { LOG, NO_SPEECH } from '../../agent/support/rig';
import '../../agent/support/sdk-rejections';
import { requestsOver, speechConfig, type Scene, type SceneContext } from '../../agent/support/scene';
import {
  callContextOf,
  FakePlatform,
  SECRET,
  TICKET,
  type ReceivedEvent,
} from '../../agent/support/fake-platform';
import type { MediaServer } from './media-server';

silenceParticipantSdk();

const FRAME_MS = 20;
let scenes = 0;

export async function playOverRealRoom(
  scene: Scene,
  models: ModelStandIn,
  media: MediaServer,
): Promise<void> {
  scenes += 1;
  const id = `${process.pid}-${scenes}`;
  const callId = `outbound-1-${id}`;
  const name = (part: string): string => `${part}-${id}`;
  for (const part of ['stt', 'llm', 'tts'] as const) {
    const replies = scene[part];
    if (replies !== undefined) models.script(name(part), replies);
  }
  for (const [part, replies] of Object.entries(scene.others ?? {})) models.script(name(part), replies);
  const platform = await FakePlatform.open();
  const medium = scene.medium ?? 'telephony';
  const agent = { name: 'A', ...speechConfig(scene, name) };
  platform.callContexts.set(callId, callContextOf(callId, { medium, agent, ...scene.callContext }));
  const live: unknown[] = [];
  const did: string[] = [];
  const roomName = `room-${id}`;
  const { url } = media.access;
  const agentRoom = new rtc.Room();
  const room = new LiveKitRoom(
    {
      name: roomName,
      room: agentRoom,
      connect: async () =>
        agentRoom.connect(url, await tokenFor(media, roomName, 'agent-m', 'agent'), {
          autoSubscribe: true,
          dynacast: false,
        }),
    },
    media.access,
  );
  const isReady = new Promise<void>((resolve) => {
    const publishReady = room.publishReady.bind(room);
    room.publishReady = async () => {
      await publishReady();
      resolve();
    };
  });
  const done = converse({
    callId,
    room,
    platform: new PlatformApi({ apiUrl: platform.url, secret: SECRET }, TICKET),
    eventsFor: (of, access) => new PlatformEvents({ ...access, callId: of, roomName, log: LOG }),
    livePublisherFor: () => ({ publish: (...update) => void live.push(update), close: () => undefined }),
    metrics: new ConversationMetrics(() => undefined),
    guard: createGuard({ allowedHosts: [] }),
    settings: {
      silenceMs: 60_000,
      joinLimitMs: 60_000,
      customLlmFirstTokenMs: 5_000,
      timeZone: 'Asia/Kolkata',
      noiseSuppression: 'off',
      speech: { ...NO_SPEECH, endpoints: { openai: { url: models.url, apiKey: null } } },
      ...scene.settings,
    },
    inference: scene.inference ?? null,
    closeLimits: { flushMs: 300, endKnownMs: 700 },
    stopping: new AbortController().signal,
    log: LOG,
  });
  await isReady;
  const person = await Person.join(media, roomName, medium);
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(10);
  };
  const said = (): any[] => platform.events.filter(({ type }) => type === 'segment');
  const stage: SceneContext = {
    models,
    model: name,
    requests: (part) => models.requests(name(part)).map(({ body }) => body),
    events: platform.events,
    said,
    live: () => live as ReturnType<SceneContext['live']>,
    captions: () => person.captions,
    speak: (speech) => person.speak(speech),
    type: (text) => void person.room.localParticipant.sendText(text, { topic: 'lk.chat' }),
    soundAtMs: () => person.soundAt,
    heard: () => person.heard,
    attributes: () => person.agentAttributes,
    actions: () => did,
    until,
    untilAnswered: () => until(() => platform.types.includes('answered')),
    untilSaid: (count) => until(() => said().length >= count),
    untilEnded: async () => {
      const ended = (): ReceivedEvent | undefined => platform.events.find(({ type }) => type === 'ended');
      await until(() => ended() !== undefined);
      return ended()!;
    },
    passedMs: () => 0,
  };
  try {
    await scene.play(stage);
  } finally {
    platform.callContexts.set(callId, 'over');
    await person.leave();
    await done;
    await platform.close();
    await requestsOver(models, id);
  }
}

async function tokenFor(
  { access }: MediaServer,
  room: string,
  identity: string,
  kind: 'agent' | 'sip' | 'standard',
  attributes: Record<string, string> = {},
): Promise<string> {
  const token = new AccessToken(access.apiKey, access.apiSecret, { identity, attributes });
  token.kind = kind;
  token.addGrant({
    roomJoin: true,
    room,
    canPublish: true,
    canSubscribe: true,
    canPublishData: true,
    canUpdateOwnMetadata: true,
    agent: kind === 'agent',
  });
  return token.toJwt();
}

/** A caller connected over LiveKit, who sends audio continuously and receives the agent's audio. */
class Person {
  readonly heard: Int16Array[] = [];
  readonly captions: string[] = [];
  soundAt: number | null = null;
  private readonly begunAt = performance.now();
  private readonly microphone = new rtc.AudioSource(SAMPLE_RATE, 1, 100);
  private waiting: Int16Array[] = [];
  private isGone = false;

  private constructor(readonly room: any) {}

  static async join(media: MediaServer, roomName: string, medium: string): Promise<Person> {
    const person = new Person(new rtc.Room());
    const isPhone = medium === 'telephony';
    const token = await tokenFor(
      media,
      roomName,
      isPhone ? 'callee' : 'web-user',
      isPhone ? 'sip' : 'standard',
      isPhone ? { 'sip.callStatus': 'active' } : {},
    );
    const { room } = person;
    room.on('trackSubscribed', (track: any) => void person.listen(track));
    room.registerTextStreamHandler('lk.transcription', async (reader: any) => {
      // The stream breaks off when the room closes.
      const text = await reader.readAll().catch(() => null);
      if (text !== null) person.captions.push(text);
    });
    await room.connect(media.access.url, token, { autoSubscribe: true });
    const track = rtc.LocalAudioTrack.createAudioTrack('microphone', person.microphone);
    const options = new rtc.TrackPublishOptions({ source: rtc.TrackSource.SOURCE_MICROPHONE });
    await room.localParticipant.publishTrack(track, options);
    void person.run();
    return person;
  }

  get agentAttributes(): Record<string, string> {
    return this.room.remoteParticipants.get('agent-m')?.attributes ?? {};
  }

  async speak(speech: number | Int16Array): Promise<void> {
    const sound = typeof speech === 'number' ? speechLike(speech, SAMPLE_RATE) : speech;
    const length = samplesIn(FRAME_MS);
    for (let at = 0; at < sound.length; at += length) this.waiting.push(sound.slice(at, at + length));
    while (this.waiting.length > 0 && !this.isGone) await sleep(FRAME_MS);
  }

  async leave(): Promise<void> {
    this.isGone = true;
    await this.room.disconnect();
  }

  private async run(): Promise<void> {
    while (!this.isGone) {
      const frame = new Int16Array(samplesIn(FRAME_MS));
      frame.set(this.waiting.shift() ?? []);
      await this.microphone.captureFrame(new rtc.AudioFrame(frame, SAMPLE_RATE, 1, frame.length));
    }
  }

  private async listen(track: any): Promise<void> {
    const stream = new rtc.AudioStream(track, { sampleRate: SAMPLE_RATE, numChannels: 1, frameSizeMs: 20 });
    for await (const { data } of stream) {
      this.heard.push(Int16Array.from(data));
      if (this.soundAt === null && isAudible(data)) this.soundAt = performance.now() - this.begunAt;
    }
  }
}
