/** Records every way in which a call can end, with a campaign that has every kind of number. */
import { workflowId } from '../../../workflows/contract';
import type { Recording } from '../recording';
import type { Stage } from '../stage';
import { numberEnding } from '../numbers';

/** Last two digits in the simulator's table, by the ending that they cause. */
const KINDS: Readonly<Record<string, number>> = {
  'end-never-reported': 99,
  'no-answer-twice': 80,
  'no-answer-then-answered': 75,
  'reply-lost': 93,
  completed: 0,
  'callee-hangs-up': 70,
  'number-is-none': 74,
  busy: 85,
  rejected: 88,
  'number-refused': 89,
  voicemail: 90,
  dropped: 91,
  'carrier-failure': 92,
  'events-twice-and-shuffled': 94,
  'carrier-unavailable-at-first': 95,
  'carrier-too-busy-at-first': 96,
};

export async function recordEndings(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const kinds = Object.entries(KINDS).map(([kind, ending]) => ({ kind, number: numberEnding(ending) }));
  const campaignId = await customer.createCampaign({
    numbers: kinds.map(({ number }) => number),
    concurrency: 6,
    maxRetries: 2,
    callHook: '/accepts',
    campaignHook: '/accepts',
  });
  await recording.keepRuns('campaign-continues-as-new', workflowId.campaign(campaignId));
  for (const { phone_number: number, attempts } of await customer.contacts(campaignId)) {
    const kind = kinds.find((each) => each.number === number)?.kind ?? 'unknown';
    for (const [index, { call_id: callId }] of attempts.entries()) {
      const name = attempts.length === 1 ? `call-${kind}` : `call-${kind}-attempt-${index + 1}`;
      await recording.keepClosed(name, workflowId.call(callId));
    }
  }
}
