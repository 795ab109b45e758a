/** Tells the story of a failed run: which process did what, when, and what was then wrong. */
import type { CampaignPlan, Happening, SimulationPlan } from './plan/plan';
import type { SimulationResult } from './run-simulation';

const CALL_ID = /(outbound|inbound)-\d+-[0-9a-f]{32}/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces long ids by short names, numbered in order of appearance. */
function namer(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string, kind: string): string => {
    const known =
      names.get(id) ?? `${kind} ${[...names.values()].filter((name) => name.startsWith(kind)).length + 1}`;
    names.set(id, known);
    return known;
  };
  return (text) => text.replace(CALL_ID, (id) => nameOf(id, 'call')).replace(UUID, (id) => nameOf(id, 'row'));
}

export function storyOf({ plan, result }: { plan: SimulationPlan; result: SimulationResult }): string {
  const named = namer();
  const lines = untilJudged(result).map(
    ({ atMs, who, what }) => `${seconds(atMs)}  ${who.padEnd(8)}  ${named(what)}`,
  );
  const atEnd = result.violations
    .filter(({ atMs }) => atMs === null)
    .map(({ sentence }) => `   at the end  judge     ${named(sentence)}`);
  return [...describePlan(plan), '', ...lines, ...atEnd].join('\n');
}

/** Drops everything after the last violation. */
function untilJudged({ story, violations }: SimulationResult): SimulationResult['story'] {
  const isOpen = violations.length === 0 || violations.some(({ atMs }) => atMs === null);
  return isOpen ? story : story.slice(0, story.findLastIndex(({ who }) => who === 'judge') + 1);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(3).padStart(9)} s`;

function describePlan(plan: SimulationPlan): string[] {
  return [
    `seed ${plan.seed}: ${plan.workers} worker${plan.workers === 1 ? '' : 's'}, lines ${plan.organizations.join(' and ')}, messages take ${plan.pace.usual.join(' to ')} ms, calls ring ${plan.ringMs} ms and talk ${plan.talkMs} ms`,
    ...plan.campaigns.map((campaign, index) => `  campaign ${index + 1}: ${describeCampaign(campaign)}`),
    ...plan.happenings.map((happening) => `  ${seconds(happening.atMs)}  ${describeHappening(happening)}`),
  ];
}

const describeCampaign = (campaign: CampaignPlan): string =>
  `numbers ending in ${campaign.endings.join(', ')}, ${campaign.concurrency} at once, ${campaign.maxRetries} dials, ` +
  `${campaign.retryDelayMins} min between them, window ${campaign.window}, webhooks ${campaign.webhook ?? 'none'} and ${campaign.callWebhook ?? 'none'}`;

function describeHappening({ kind, atMs: _at, ...facts }: Happening): string {
  const named = Object.entries(facts).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [kind, ...named].join(', ');
}
