/** Sounds over an agent that speaks, through its own session: how soon it is silent, for how long, and whether it stops for good. */
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { dispose } from '@livekit/rtc-node';
import type { Samples } from '../../../agent/audio/pcm';
import { startModelStandIn } from '../../../dev/model-stand-in/server';
import { ClosingOrder } from '../../../dev/stack/closing';
import type { BareRun } from '../bare-servers';
import { figure, type Figure } from '../figure';
import { median, percentile } from '../percentile';
import { startLocalModels } from '../turns/local-models';
import { spokenBy } from '../turns/speech';
import { startConversation, type Conversation } from './conversation';
import { KINDS, soundsBy, type Kind, type Sound } from './sounds';

const AT_ONCE = 3;
/** By which the agent knows how loud the caller is. */
const FIRST_TURN = 'Hello, I would like to know everything about it.';
/** Longer than the pauses between syllables. */
const SILENCE_MS = 100;
/** Longer than an agent is silent that speaks on, and than the recogniser takes for three at once. */
const SETTLED_WITHIN_MS = 3_500;
const SPEAKS_WITHIN_MS = 30_000;
const BETWEEN_MS = 700;
const CHARACTER_MS = 60;
/** The goal. */
const SILENT_WITHIN_MS = 150;

interface Outcome {
  kind: Kind;
  /** From the sound's beginning; null where the agent spoke on. */
  silentAfterMs: number | null;
  /** Until it spoke on; null where it did not. */
  silentForMs: number | null;
  hasStopped: boolean;
  /** What the transcript has beyond what was heard, in time. */
  unheardMs: number;
  /** What the agent took for a turn. */
  heard: string;
}

/** The models are downloaded the first time. */
export async function measureInterruptions(run: BareRun): Promise<Figure[]> {
  initializeLogger({ pretty: false, level: 'silent' });
  const closing = new ClosingOrder();
  process.on('unhandledRejection', ignoreAborted);
  closing.add('its listener', () => Promise.resolve(void process.off('unhandledRejection', ignoreAborted)));
  try {
    const { speech, url } = await startLocalModels(run, closing);
    const sounds = await soundsBy(speech);
    const firstTurn = await spokenBy(speech, FIRST_TURN);
    run.say(`${sounds.length} sounds are made.`);
    const voice = await startModelStandIn();
    closing.add('the voice', () => voice.close());
    const outcomes: Outcome[] = [];
    const conversations = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, async () => {
        const conversation = await startConversation({
          urls: { hearing: url, speaking: voice.url },
          closing,
        });
        outcomes.push(...(await overAgent(conversation, { firstTurn, sounds, run })));
      }),
    );
    for (const ended of conversations) if (ended.status === 'rejected') throw ended.reason;
    return figuresOf(outcomes);
  } finally {
    await closing.close();
    // The library that plays and resamples would keep the process.
    await dispose();
  }
}

/** An answer that is interrupted while it is synthesised rejects without a listener, which the SDK's own processes ignore. */
function ignoreAborted(reason: unknown): void {
  if (!(reason instanceof Error) || reason.message !== 'Request was aborted.') throw reason;
}

interface Plan {
  firstTurn: Samples;
  /** What the conversations have left, shared by them. */
  sounds: Sound[];
  run: BareRun;
}

async function overAgent(conversation: Conversation, { firstTurn, sounds, run }: Plan): Promise<Outcome[]> {
  const { line, monologue } = conversation;
  await monologue.done;
  await line.say(firstTurn);
  await conversation.answered;
  const outcomes: Outcome[] = [];
  for (let sound = sounds.shift(); sound !== undefined; sound = sounds.shift()) {
    if (run.signal.aborted) throw new Error('the benchmark was interrupted');
    const outcome = await overMonologue(conversation, sound);
    outcomes.push(outcome);
    if (isMistake(outcome)) run.say(lineOf(sound, outcome));
    if (sounds.length % KINDS.length === 0) run.say(`${sounds.length} sounds are left.`);
  }
  return outcomes;
}

/** A speech of its own for each, so that one that is late spoils no other. */
async function overMonologue(
  { line, session, interrupted, heard, monologue }: Conversation,
  sound: Sound,
): Promise<Outcome> {
  const [before, heardBefore] = [interrupted.length, heard.length];
  const begun = performance.now();
  const speech = session.say(monologue.words, { prepared: monologue }).catch(() => undefined);
  while (line.heardSince(begun) < BETWEEN_MS) {
    if (performance.now() > begun + SPEAKS_WITHIN_MS) throw new Error('the agent says nothing');
    await sleep(10);
  }
  const soundAt = await line.say(sound.samples);
  const saidAt = performance.now();
  const hasStopped = (): boolean => interrupted.length > before;
  // Recognition of what did not silence it may still stop it.
  while (performance.now() < saidAt + SETTLED_WITHIN_MS && !hasStopped()) await sleep(20);
  const stopped = hasStopped();
  const from = line.silentFrom(soundAt, SILENCE_MS);
  const to = from === null ? null : line.nextAudible(from);
  const heardMs = line.heardSince(begun);
  session.agentSession.interrupt();
  await speech;
  while (!hasStopped() && performance.now() < saidAt + SPEAKS_WITHIN_MS) await sleep(20);
  // The rest of what stopped it may be recognised late, and its turn end later still: the next speech must not be stopped by that.
  await sleep(stopped ? SETTLED_WITHIN_MS : BETWEEN_MS);
  return {
    kind: sound.kind,
    silentAfterMs: from === null ? null : from - soundAt,
    silentForMs: from === null || to === null ? null : to - from,
    hasStopped: stopped,
    unheardMs: stopped ? Math.max(0, (interrupted[before]?.length ?? 0) * CHARACTER_MS - heardMs) : 0,
    heard: heard.slice(heardBefore).join(' '),
  };
}

const isMistake = ({ kind, hasStopped, silentAfterMs }: Outcome): boolean =>
  kind === 'interruption' ? !hasStopped || (silentAfterMs ?? Infinity) > SILENT_WITHIN_MS : hasStopped;

const lineOf = ({ kind, words }: Sound, { hasStopped, silentAfterMs, heard }: Outcome): string =>
  `${kind} "${words}": ${hasStopped ? 'stopped' : 'not stopped'}, silent after ${silentAfterMs?.toFixed() ?? '-'} ms, heard as "${heard}".`;

function figuresOf(outcomes: readonly Outcome[]): Figure[] {
  const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
  const of = (kind: Kind): Outcome[] => outcomes.filter((outcome) => outcome.kind === kind);
  const meant = of('interruption');
  const silentAfter = known(meant.map(({ silentAfterMs }) => silentAfterMs));
  const figures = [
    figure(
      'interruptions at which the agent stopped',
      share(meant, ({ hasStopped }) => hasStopped),
      '%',
    ),
    figure('interruption to silence, p50', median(silentAfter), 'ms'),
    figure('interruption to silence, p95', percentile(silentAfter, 0.95), 'ms', SILENT_WITHIN_MS),
    figure(
      'in the transcript and not heard, most',
      Math.max(...meant.map(({ unheardMs }) => unheardMs)),
      'ms',
    ),
  ];
  for (const kind of KINDS.filter((each) => each !== 'interruption')) {
    const sounds = of(kind);
    const silentFor = known(sounds.map(({ silentForMs }) => silentForMs));
    figures.push(
      figure(
        `${kind}: the agent stopped, of ${sounds.length}`,
        sounds.filter(({ hasStopped }) => hasStopped).length,
        '',
        0,
      ),
      figure(
        `${kind}: it paused`,
        share(sounds, ({ silentAfterMs }) => silentAfterMs !== null),
        '%',
      ),
    );
    if (silentFor.length > 0) figures.push(figure(`${kind}: pause, p50`, median(silentFor), 'ms'));
  }
  return figures;
}

const share = (outcomes: readonly Outcome[], holds: (outcome: Outcome) => boolean): number =>
  (100 * outcomes.filter(holds).length) / outcomes.length;
