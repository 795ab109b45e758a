/**
 * The state of the whole platform, as Postgres has it. Every process that is scraped shows the same, so it is read with `max`, never
 * added up. Without an answer of Postgres there are no values but that one: old ones would hide what is wrong.
 */
import { Gauge, type Registry } from 'prom-client';
import type { PlatformState } from '../../domain/platform-state';

type Amount = {
  [Name in keyof PlatformState]: PlatformState[Name] extends number ? Name : never;
}[keyof PlatformState];

const AMOUNTS: Record<Amount, { name: string; help: string }> = {
  linesInUse: { name: 'voice_agent_lines_in_use', help: 'Lines that calls hold.' },
  linesLeaked: {
    name: 'voice_agent_lines_leaked',
    help: 'Lines whose call is over or holds none by its stage. Never anything but 0.',
  },
  oldestLineS: {
    name: 'voice_agent_oldest_line_seconds',
    help: 'For how long the line has been held that was taken first.',
  },
  oldestUnusedLineS: {
    name: 'voice_agent_oldest_unused_line_seconds',
    help: 'For how long the call has not dialled that was granted a line first.',
  },
  unprocessedCalls: {
    name: 'voice_agent_calls_unprocessed',
    help: 'Calls that are over and not processed yet.',
  },
  oldestUnprocessedCallS: {
    name: 'voice_agent_oldest_unprocessed_call_seconds',
    help: 'How long ago the call ended that waits longest to be processed.',
  },
  callsPastRetention: {
    name: 'voice_agent_calls_past_retention',
    help: 'Calls past their retention that are kept, as they are not processed.',
  },
  stuckWorkflows: {
    name: 'voice_agent_stuck_workflows',
    help: 'Workflows whose tasks fail again and again, that do not conclude their call, or that run though it is over.',
  },
  starvedCampaigns: {
    name: 'voice_agent_starved_campaigns',
    help: 'Campaigns within their dialling time with due contacts and free lines.',
  },
  pendingWebhooks: { name: 'voice_agent_webhooks_pending', help: 'Webhook deliveries that are not settled.' },
  oldestPendingWebhookS: {
    name: 'voice_agent_oldest_pending_webhook_seconds',
    help: 'Age of the oldest webhook delivery that is not settled.',
  },
  webhookAttemptLateS: {
    name: 'voice_agent_webhook_attempt_late_seconds',
    help: 'How late the most overdue webhook attempt is.',
  },
};

/** Two servers that scrape one process at once cost one query; shorter than any usual interval between two scrapes. */
const KEPT_FOR_MS = 4_000;

/** What reads it, at most once in `KEPT_FOR_MS`; null where Postgres gave no answer. */
function keeping(
  read: () => Promise<PlatformState>,
  clock: () => number,
): () => Promise<PlatformState | null> {
  let kept: { at: number; state: Promise<PlatformState | null> } | null = null;
  return () => {
    const now = clock();
    if (kept === null || now - kept.at >= KEPT_FOR_MS) kept = { at: now, state: read().catch(() => null) };
    return kept.state;
  };
}

export function stateGauges(
  registry: Registry,
  read: () => Promise<PlatformState>,
  clock: () => number = () => performance.now(),
): void {
  const registers = [registry];
  const state = keeping(read, clock);
  for (const [field, { name, help }] of Object.entries(AMOUNTS)) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const now = await state();
        this.remove();
        if (now !== null && isAmount(field)) this.set(now[field]);
      },
    });
  }
  byLabel(registers, {
    name: 'voice_agent_calls',
    help: 'Calls that are not over, by stage: asking and placed are live.',
    label: 'stage',
    read: async () => (await state())?.callsByStage,
  });
  byLabel(registers, {
    name: 'voice_agent_campaigns_open',
    help: 'Campaigns that have not ended, by status.',
    label: 'status',
    read: async () => (await state())?.openCampaignsByStatus,
  });
  new Gauge({
    name: 'voice_agent_platform_state_up',
    help: '1 while Postgres answers what the platform gauges show.',
    registers,
    async collect() {
      this.set((await state()) === null ? 0 : 1);
    },
  });
}

const isAmount = (field: string): field is Amount => Object.hasOwn(AMOUNTS, field);

function byLabel(
  registers: Registry[],
  gauge: {
    name: string;
    help: string;
    label: string;
    read: () => Promise<Readonly<Record<string, number>> | undefined>;
  },
): void {
  const { name, help, label, read } = gauge;
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      const values = await read();
      this.reset();
      for (const [value, count] of Object.entries(values ?? {})) this.set({ [label]: value }, count);
    },
  });
}
