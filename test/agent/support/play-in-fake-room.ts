/** Plays a scene in a fake room. Everything except LiveKit is real. */
import type { ModelStandIn } from '../../../dev/model-stand-in/server';
import { isAudible } from '../../../agent/audio/pcm';
import { Caller } from './caller';
import { CALL, NO_SPEECH, Rig } from './rig';
import './sdk-rejections';
import { requestsOver, speechConfig, type Scene, type SceneContext } from './scene';
import { callContextOf, type ReceivedEvent } from './fake-platform';
import { BROWSER, CALLEE } from './fake-room';

/** At least twice as long as any scene has to wait, not counting stalls of the process. */
const UNTIL_MS = 25_000;
/** A stall this long changes the caller's pauses or the agent's speech enough to change a scene's outcome. */
const STALL_MS = 200;
const MAX_ATTEMPTS = 3;
const TIMER_MS = 20;
/** Timers are often up to this late without a stall. */
const LATE_MS = 50;
/** Time limit of a test that plays a scene. */
export const SCENE_TIMEOUT_MS = MAX_ATTEMPTS * 40_000;

let scenes = 0;

/**
 * Plays the scene until the conversation ends. Scenes run in real time, so a scene that fails after the process stalled is played again.
 */
export async function playInFakeRoom(scene: Scene, models: ModelStandIn): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const stall = watchStalls();
    try {
      return await playOnce(scene, models, stall);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || stall.ms() < STALL_MS) throw error;
      process.stderr.write(`played again after a stall of ${Math.round(stall.ms())} ms: ${scene.title}\n`);
    } finally {
      stall.stop();
    }
  }
}

async function playOnce(scene: Scene, models: ModelStandIn, stall: Stall): Promise<void> {
  scenes += 1;
  const id = `${process.pid}-${scenes}`;
  const rig = await Rig.open();
  const { platform, room } = rig;
  rig.inference = scene.inference ?? null;
  const name = (part: string): string => `${part}-${id}`;
  for (const part of ['stt', 'llm', 'tts'] as const) {
    const replies = scene[part];
    if (replies !== undefined) models.script(name(part), replies);
  }
  for (const [part, replies] of Object.entries(scene.others ?? {})) models.script(name(part), replies);
  const medium = scene.medium ?? 'telephony';
  const participant = medium === 'webrtc' ? BROWSER : CALLEE;
  platform.callContexts.set(
    CALL,
    callContextOf(CALL, { medium, agent: { name: 'A', ...speechConfig(scene, name) }, ...scene.callContext }),
  );
  if (medium === 'webrtc') rig.after('publishReady', () => room.addParticipant(BROWSER));
  else rig.answerWhenReady();
  const heard: Int16Array[] = [];
  let answeredAt: number | null = null;
  let soundAt: number | null = null;
  room.onSend = (samples) => {
    heard.push(samples);
    if (soundAt === null && isAudible(samples)) soundAt = performance.now();
  };
  const waiting = new Set<() => void>();
  platform.onEvent = ({ type }) => {
    if (type === 'answered') answeredAt ??= performance.now();
  };
  const looking = setInterval(() => waiting.forEach((check) => check()), 10);
  const done = rig.run(CALL, {
    ...scene.settings,
    speech: { ...NO_SPEECH, endpoints: { openai: { url: models.url, apiKey: null } } },
  });
  const caller = new Caller(room, participant);
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const ranMs = (): number => performance.now() - stall.ms();
      const begunMs = ranMs();
      const check = (): void => {
        const isThere = holds();
        if (!isThere && ranMs() - begunMs < UNTIL_MS) return;
        waiting.delete(check);
        if (isThere) resolve();
        else reject(new Error(`it did not happen within ${UNTIL_MS / 1000} s: ${String(holds)}`));
      };
      waiting.add(check);
      check();
    });
  const said = (): any[] => platform.events.filter(({ type }) => type === 'segment');
  const stage: SceneContext = {
    models,
    model: name,
    requests: (part) => models.requests(name(part)).map(({ body }) => body),
    events: platform.events,
    said,
    live: () => rig.live,
    captions: () => room.captions,
    speak: (speech) => caller.speak(speech),
    type: (text) => room.type(participant, text),
    soundAtMs: () => (soundAt === null || answeredAt === null ? null : soundAt - answeredAt),
    heard: () => heard,
    attributes: () => room.attributes,
    actions: () => room.actions,
    until,
    untilAnswered: () => until(() => platform.types.includes('answered')),
    untilSaid: (count) => until(() => said().length >= count),
    untilEnded: async () => {
      const ended = (): ReceivedEvent | undefined => platform.events.find(({ type }) => type === 'ended');
      await until(() => ended() !== undefined);
      return ended()!;
    },
    passedMs: () => performance.now() - (answeredAt ?? performance.now()),
  };
  try {
    await scene.play(stage);
  } finally {
    platform.callContexts.set(CALL, 'over');
    room.removeParticipant(participant);
    caller.leave();
    await done;
    clearInterval(looking);
    await platform.close();
    await requestsOver(models, id);
  }
  scene.afterwards?.(platform.recordings.get(CALL));
}

interface Stall {
  /** Total stalled time since the beginning. */
  ms: () => number;
  stop: () => void;
}

/** Measures how long this process stalled because the machine paused or other processes used the CPU. */
function watchStalls(): Stall {
  let sum = 0;
  let dueAt = performance.now() + TIMER_MS;
  const lateMs = (): number => {
    const late = performance.now() - dueAt;
    return late > LATE_MS ? late : 0;
  };
  const timer = setInterval(() => {
    sum += lateMs();
    dueAt = performance.now() + TIMER_MS;
  }, TIMER_MS);
  return { ms: () => sum + lateMs(), stop: () => clearInterval(timer) };
}
