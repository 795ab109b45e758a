/** Measures how long lines are idle between calls over LiveKit with the SIP stand-in and real agents. */
import { type BenchRun, onStack } from './bench-stack';
import { figure, type Figure, median, percentile } from './figure';
import { totalActions } from './histories';
import { idleTimesMs, measureCampaign, runCampaign } from './measure-campaign';

/** Two lines, because each call starts an agent process, which takes more than a second of CPU time. */
const CAMPAIGN = { contacts: 24, lines: 2, timeoutMs: 180_000 };
const WARM_UP = { ...CAMPAIGN, contacts: 4 };
const SETTINGS = {
  ringMs: 300,
  talkMs: 2_000,
  lines: CAMPAIGN.lines,
  telephony: 'livekit',
  agentEnvironment: { AGENT_SILENCE_MS: '1000' },
} as const;

export function measurePhones(run: BenchRun): Promise<Figure[]> {
  return onStack(run, SETTINGS, async (bench) => {
    run.say(`${CAMPAIGN.contacts} calls over LiveKit on ${CAMPAIGN.lines} lines.`);
    await runCampaign(bench, WARM_UP);
    const campaign = await measureCampaign(bench, CAMPAIGN);
    const idleMs = idleTimesMs([campaign]);
    const actions = campaign.calls.map((call) => totalActions(call.actions));
    return [
      figure('over LiveKit: idle line, p50', percentile(idleMs, 0.5), 'ms'),
      figure('over LiveKit: idle line, most', Math.max(...idleMs), 'ms'),
      figure('over LiveKit: Temporal actions per call, median', median(actions), ''),
      figure('cores that other programs kept busy', campaign.usage.othersCores, ''),
    ];
  });
}
