/** Measures the database's work for a campaign call from claim to end, in tables full of earlier calls. */
import { claimPage, recordPlaced, registerWaiting, startDial } from '../../../db/calls/engine';
import { endCall } from '../../../db/calls/ends';
import { surveyCampaign } from '../../../db/campaigns/engine';
import { rows } from '../../../db/kernel/query';
import { callEndOf } from '../../../domain/call-end';
import { percentile } from '../percentile';
import type { Place } from './list-servers';
import { SEEDED_AGENT } from './seed';

export interface DialPath {
  smallMs: number;
  largeMs: number;
}

const ROUNDS = 300;
const WARM_UP_ROUNDS = 30;
const HOUR_MS = 3_600_000;

const CAMPAIGN = `
insert into campaigns (id, organization_id, agent_id, campaign_name, status, reported_status, contact_source_type, days_of_week, start_minute, end_minute,
  from_date, to_date, max_attempts, retry_delay_mins, concurrency, total_contacts, created_at, updated_at, check_at)
values (md5('dialled')::uuid, :organizationId, :agentId, 'Dialled', 'active', 'active', 'csv', 'monday', 0, 1439, '2026-11-02', '2026-11-06', 1, 30, 1,
  :contacts, now(), now(), now() + interval '1 day')
returning id`;

const CONTACTS = `
insert into contacts (campaign_id, row_number, name, phone_number, variables)
select :campaignId, n, 'Contact ' || n, '+9197' || lpad(n::text, 8, '0'), '{}' from generate_series(1, :contacts::integer) n`;

/** Returns 95th percentiles in milliseconds. Alternates between the two databases. */
export async function measureDialPath(small: Place, large: Place, signal: AbortSignal): Promise<DialPath> {
  const places = [await dialler(small), await dialler(large)] as const;
  const timesMs: [number[], number[]] = [[], []];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const nth of [0, 1] as const) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      await places[nth]();
      if (round >= 0) timesMs[nth].push(performance.now() - startedAt);
    }
  }
  const [smallMs, largeMs] = timesMs;
  return { smallMs: percentile(smallMs, 0.95), largeMs: percentile(largeMs, 0.95) };
}

/** Creates a campaign with one line. Each run of the returned function makes its next call. */
async function dialler({ db, organizationId }: Place): Promise<() => Promise<void>> {
  const contacts = ROUNDS + WARM_UP_ROUNDS + 10;
  const made = await rows<{ id: string }>(db, CAMPAIGN, { organizationId, agentId: SEEDED_AGENT, contacts });
  const campaignId = made[0]?.id ?? '';
  await rows(db, CONTACTS, { campaignId, contacts });
  await rows(db, 'vacuum analyze contacts, campaigns');
  return async () => {
    const now = Date.now();
    const page = await claimPage(db, campaignId, {
      now,
      dialUntil: now + HOUR_MS,
      limit: 1,
      isStillDue: () => true,
    });
    const registered = await registerWaiting(
      db,
      organizationId,
      page.claimed.map(({ callId }) => callId),
      now,
    );
    const [callId] = [...page.granted, ...registered.granted];
    if (callId === undefined) throw new Error('no call got a line');
    const guards = {
      trunk: 'bench',
      dialEveryMs: null,
      pendingDialMs: 0,
      registryNotBefore: null,
      breakers: NO_BREAKERS,
    };
    const start = await startDial(db, callId, { now, notAfter: now + 3_000, guards });
    if (start.kind !== 'ask') throw new Error(`the call could not be dialled: ${start.kind}`);
    await recordPlaced(db, callId, { carrierId: `bench-${callId}`, from: null }, now);
    const endedAt = new Date(now).toISOString();
    await endCall(db, callId, callEndOf({ endReason: 'agent', answeredAt: endedAt, endedAt }, 1), now);
    await surveyCampaign(db, campaignId, { now, checkAt: now + HOUR_MS });
  };
}

const NO_BREAKERS = {
  campaignSpendPerDay: null,
  organizationSpendPerDay: null,
  failureRate: null,
  failureDials: 20,
};
