/** Measures calls over LiveKit: how long a dispatch takes to reach the carrier, and how much each process uses for a live call. */
import { AGENT_CONFIG } from '../../dev/demo/agent';
import { CALLS } from '../../dev/demo/api-client';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil } from '../../dev/stack/wait-until';
import type { BenchStack } from './bench-stack';
import { answeredNumber } from './contact-file';
import { placedAtMs } from './campaign-course';
import { figure, type Figure } from './figure';
import { liveCalls } from './live-calls';
import { onStack, type BenchRun } from './on-stack';
import { percentile } from './percentile';
import { createAgent, dispatch } from './platform-client';
import { eachMore, measureProcesses, mediaOf } from './process-use';

const WARM_UP = 2;
const DISPATCHES = 20;
/** Each call runs in an agent process of several hundred megabytes. */
const LIVE_CALLS = 6;
/** Ends in 73, so the call lasts until its time limit. */
const ENDLESS_NUMBER = 9_820_000_073;
const CALL_WITHIN_MS = 60_000;

const TALKATIVE = {
  ...AGENT_CONFIG,
  experience: { settings: { call_settings: { max_call_duration: 10, max_duration_enabled: true } } },
};
/** Everything runs on this machine: the media server, the SIP stand-in and the agent. */
export async function measureOverLivekit(run: BenchRun): Promise<Figure[]> {
  const settings = {
    ringMs: 300,
    talkMs: 1_000,
    lines: LIVE_CALLS,
    telephony: 'livekit',
    agentEnvironment: { AGENT_SILENCE_MS: '1000' },
  } as const;
  return onStack(run, settings, async (bench) => {
    run.say(`${DISPATCHES} dispatches over LiveKit, one after the other.`);
    const firstSigns = await firstSignsMs(bench);
    run.say(`${LIVE_CALLS} live calls over LiveKit.`);
    return [...firstSignFigures(firstSigns), ...(await liveCallFigures(bench))];
  });
}

/** Measures from the API request until the carrier has the call. */
async function firstSignsMs(bench: BenchStack): Promise<number[]> {
  const measured: number[] = [];
  for (let nth = 0; nth < WARM_UP + DISPATCHES; nth++) {
    const requestedAtMs = Date.now();
    const callId = await dispatch(bench.client, `0${answeredNumber(nth)}`);
    await untilEnded(bench, callId);
    if (nth >= WARM_UP)
      measured.push(placedAtMs(readSimulatorLog(bench.stack.simulatorLog), callId) - requestedAtMs);
  }
  return measured;
}

/** Waits until the end of the call is recorded, so that calls don't overlap. */
async function untilEnded({ client }: BenchStack, callId: string): Promise<void> {
  await waitUntil({
    what: 'the end of a call',
    check: async () => {
      const { data } = await client.api.get('/api/call-history?page_size=5', CALLS);
      return data.some((call) => call.call_id === callId && call.End_time !== null);
    },
    timeoutMs: CALL_WITHIN_MS,
  });
}

const firstSignFigures = (ms: readonly number[]): Figure[] => [
  figure('over LiveKit: dispatch to first sign at the carrier, p50', percentile(ms, 0.5), 'ms'),
  figure('over LiveKit: dispatch to first sign at the carrier, p95', percentile(ms, 0.95), 'ms'),
];

async function liveCallFigures(bench: BenchStack): Promise<Figure[]> {
  const agentId = await createAgent(bench.client.api, TALKATIVE);
  const idle = await measureProcesses(bench);
  for (let nth = 0; nth < LIVE_CALLS; nth++)
    await dispatch({ ...bench.client, agentId }, `0${ENDLESS_NUMBER + nth * 100}`);
  const check = async () => (await liveCalls(mediaOf(bench).url)) >= LIVE_CALLS;
  await waitUntil({ what: `the last of ${LIVE_CALLS} live calls`, check, timeoutMs: CALL_WITHIN_MS });
  const used = await measureProcesses(bench);
  return eachMore(used, idle, LIVE_CALLS, 'live call over LiveKit');
}
