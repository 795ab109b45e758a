/** Starts a platform, runs spoken conversations on it, and judges them. */
import { silenceParticipantSdk } from '../../../agent/log';
import { ApiClient } from '../../demo/api-client';
import { printProgress } from '../../progress';
import { ClosingOrder } from '../../stack/closing';
import type { Environment } from '../../stack/platform-environment';
import { repositoryRoot } from '../../stack/repository';
import { createAgents } from '../agents';
import { LocalSpeech } from '../caller/local-speech';
import { RoomCaller } from '../caller/room-caller';
import { startTalkPlatform } from '../platform';
import type { SpokenConversation } from './conversations';
import {
  converseBySound,
  isEnough,
  passes,
  summaryOf,
  type Played,
  type SpokenOutcome,
  Judge,
} from './converse';

interface RunSpokenOptions {
  conversations: readonly SpokenConversation[];
  runs: number;
  /** Concurrent conversations. */
  atOnce: number;
  minPass: number;
  environment: Environment;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  stopping: AbortController;
}

/** The judge uses the same CPUs while the agent waits for the caller, so the agent must tolerate long silences. */
const AGENT_SILENCE_MS = '120000';

/** Resolves to true if each conversation passed often enough. */
export async function runSpoken(options: RunSpokenOptions): Promise<boolean> {
  const closing = new ClosingOrder();
  try {
    return await hold(options, closing);
  } finally {
    await closing.close();
  }
}

async function hold(options: RunSpokenOptions, closing: ClosingOrder): Promise<boolean> {
  const { conversations, runs, atOnce, minPass, environment, out, err, stopping } = options;
  silenceParticipantSdk();
  const repository = repositoryRoot();
  const judge = await Judge.install({ repository, environment, onProgress: printProgress(err) });
  const { stack, organization, modelsUrl } = await startTalkPlatform(
    { environment, err, stopping, agentEnvironment: { AGENT_SILENCE_MS } },
    closing,
  );
  const api = new ApiClient({ baseUrl: stack.apiUrl, key: organization.key, signal: stopping.signal });
  const voiceOf = voices(new LocalSpeech(modelsUrl));
  const played: (Played & { agentId: string; outcomes: SpokenOutcome[] })[] = [];
  for (const conversation of conversations) {
    const body = conversation.agent;
    const [agent] = await createAgents(api, [{ name: body.agent_display_name, body }]);
    if (agent === undefined) throw new Error('the platform created no agent');
    played.push({ conversation, agentId: agent.id, outcomes: [] });
  }
  const left = played.flatMap((one) => Array.from({ length: runs }, () => one));
  const holdNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      stopping.signal.throwIfAborted();
      const { conversation, agentId, outcomes } = next;
      const outcome = await heldWith(await RoomCaller.call(api, agentId), stopping.signal, (caller) =>
        converseBySound({ conversation, caller, judge, voiceOf }),
      );
      outcomes.push(outcome);
      out.write(`${linesOf(conversation, outcome).join('\n')}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, holdNext));
  const summary = summaryOf(played, minPass);
  out.write(`${JSON.stringify(summary)}\n`);
  return isEnough(summary);
}

/** Always makes the caller leave at the end. An aborted conversation has no outcome. */
async function heldWith(
  caller: RoomCaller,
  signal: AbortSignal,
  work: (caller: RoomCaller) => Promise<SpokenOutcome>,
): Promise<SpokenOutcome> {
  const stop = (): void => void caller.leave();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const outcome = await work(caller);
    signal.throwIfAborted();
    return outcome;
  } finally {
    signal.removeEventListener('abort', stop);
    await caller.leave();
  }
}

/** Caches the synthesised speech of each sentence. */
function voices(speech: LocalSpeech): (sentence: string) => Promise<Int16Array> {
  const known = new Map<string, Int16Array>();
  return async (sentence) => {
    const samples = known.get(sentence) ?? (await speech.samples(sentence));
    known.set(sentence, samples);
    return samples;
  };
}

function linesOf(conversation: SpokenConversation, outcome: SpokenOutcome): string[] {
  const { greeting, turns, broken } = outcome;
  return [
    `${passes(conversation, outcome) ? '✓' : '✗'} ${conversation.title}: ${conversation.goal}`,
    `    agent   ${greeting || '(nothing)'}`,
    ...turns.flatMap(({ says, heard, attempts, isRight, firstAudioMs }) => [
      `    caller  ${says}${attempts > 1 ? `   (${attempts} times)` : ''}`,
      `    agent   ${heard || '(nothing)'}${firstAudioMs === null ? '' : `   (after ${firstAudioMs} ms)`}${isRight ? '' : '   ✗'}`,
    ]),
    ...(broken === null ? [] : [`    ${broken}`]),
  ];
}
