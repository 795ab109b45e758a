/**
 * State of the whole platform, read from Postgres. Every process exports the same values, so queries must use `max` and never `sum`. While
 * Postgres doesn't respond, only `platform_state_up` is exported, because old values would hide the problem.
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
    help: 'Lines whose call is over or is in a stage without a line. Must be 0.',
  },
  oldestLineS: {
    name: 'voice_agent_oldest_line_seconds',
    help: 'Longest time that a call has held its line.',
  },
  oldestUnusedLineS: {
    name: 'voice_agent_oldest_unused_line_seconds',
    help: 'Longest time that a call has held a line without dialling.',
  },
  unprocessedCalls: {
    name: 'voice_agent_calls_unprocessed',
    help: 'Calls that are over and not processed yet.',
  },
  oldestUnprocessedCallS: {
    name: 'voice_agent_oldest_unprocessed_call_seconds',
    help: 'Longest time since the end of a call that is not processed yet.',
  },
  callsPastRetention: {
    name: 'voice_agent_calls_past_retention',
    help: 'Calls past their retention that are kept because they are not processed.',
  },
  stuckWorkflows: {
    name: 'voice_agent_stuck_workflows',
    help: 'Workflows whose tasks keep failing, that do not conclude their call, or that run although it is over.',
  },
  starvedCampaigns: {
    name: 'voice_agent_starved_campaigns',
    help: 'Campaigns within their dialling time with due contacts and free lines.',
  },
  pendingWebhooks: { name: 'voice_agent_webhooks_pending', help: 'Pending webhook deliveries.' },
  oldestPendingWebhookS: {
    name: 'voice_agent_oldest_pending_webhook_seconds',
    help: 'Age of the oldest pending webhook delivery.',
  },
  webhookAttemptLateS: {
    name: 'voice_agent_webhook_attempt_late_seconds',
    help: 'How late the most overdue webhook attempt is.',
  },
};

/**
 * How long a result is cached, so that simultaneous scrapes of two processes' servers cost one query. Shorter than any usual scrape
 * interval.
 */
const KEPT_FOR_MS = 4_000;

/** Reads the state at most once per `KEPT_FOR_MS`. Returns null if Postgres doesn't respond. */
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
    help: 'Calls that are not over, by stage. Those in requested and placed are live.',
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
    help: '1 while Postgres responds to the query for the platform gauges.',
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
