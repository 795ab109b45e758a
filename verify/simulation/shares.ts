/**
 * Invariant 9: an organization does not wait because of another organization, its receiver or its calls. Each claim of an organization must
 * be granted soon. Waits during or shortly after an outage of a shared part are excused, and so are waits for the organization's own slow
 * receiver. Any other wait is caused by another organization.
 */
import { ATTEMPT_MS } from '../../activities/delivering/delivering';
import type { SimulationPlan } from './plan/plan';
import type { Simulation } from './simulation';

/** Something that an organization is entitled to from a certain time on. */
export interface Claim {
  /** Identifies the claim until it is granted. */
  key: string;
  organization: string;
  what: string;
  /** Milliseconds; null if the claim is due from the time at which it was first seen. */
  due: number | null;
}

/** Selects the claims in the rows after a commit. `$1` is the true time. */
export const CLAIMS = `
  select 'dialled ' || call_id || ' ' || granted_at as key, organization_id, 'call ' || call_id || ' has a line but is not dialled' as what,
      null::timestamptz as due
    from calls where stage = 'granted' and requested_at is null
  union all
  select 'registered ' || call_id, organization_id, 'call ' || call_id || ' was claimed but does not wait for a line', null
    from calls k where stage = 'claimed' and exists (select from campaigns c where c.id = k.campaign_id and c.status = 'active')
  union all
  select 'granted ' || k.call_id, k.organization_id, 'call ' || k.call_id || ' waits although a line is free', null
    from calls k join organizations o on o.id = k.organization_id left join campaigns c on c.id = k.campaign_id
    where k.stage = 'waiting' and (select count(*) from lines l where l.organization_id = k.organization_id) < o.max_concurrency
      and not exists (select from lines l where l.organization_id = k.organization_id and l.number = k.to_number)
      and (c.id is null or (c.status = 'active' and c.dialing_until > $1::timestamptz
        and (select count(*) from lines l where l.campaign_id = c.id) < c.concurrency))
  union all
  select 'claimed ' || c.id, c.organization_id, 'campaign ' || c.id || ' has a free line and a due contact, but no waiting call', null
    from campaigns c join organizations o on o.id = c.organization_id
    where c.status = 'active' and c.dialing_until > $1::timestamptz
      -- A campaign with rules claims only contacts whose zone is open, which the rows don't show.
      and c.window_timezone is null and c.rule_profile is null and o.rule_profile is null
      and (select count(*) from lines l where l.organization_id = o.id) < o.max_concurrency
      and (select count(*) from lines l where l.campaign_id = c.id) < c.concurrency
      and not exists (select from calls k where k.campaign_id = c.id and k.stage in ('claimed', 'waiting', 'granted'))
      and exists (select from contacts t where t.campaign_id = c.id and t.state = 'pending' and t.call_id is null
        and (t.next_attempt_at is null or t.next_attempt_at <= $1::timestamptz))
  union all
  select 'delivered ' || event_id || ' ' || attempts_made + 1, organization_id,
      event || ' ' || event_id || ' is due for its attempt ' || attempts_made + 1,
      case when attempts_made = 0 then created_at else next_attempt_at end
    from webhook_deliveries where status = 'pending'`;

/** Prefix of the keys of delivery claims. */
const DELIVERED = 'delivered ';
/** Allows for worker timers, sticky queues and retries, in addition to the messages of a step. */
const LIMIT_MS = 6_000;
/** Time until a receiver without free slots is retried. The webhooks of one organization wait for each other. */
const BUSY_RECEIVER_MS = 2 * ATTEMPT_MS;
/** Maximum number of consecutive messages from a claim to its use. Few of them are slow. */
const SLOW_MESSAGES = 8;
/** After an outage, a reconciliation every ten seconds starts whatever is thirty seconds overdue. */
const AFTER_OUTAGE_MS = 75_000;

export class Shares {
  private claims = new Map<string, Claim & { due: number }>();
  private readonly limitMs: number;

  constructor(private readonly run: Pick<Simulation, 'world' | 'outages' | 'receiver' | 'plan'>) {
    this.limitMs = LIMIT_MS + SLOW_MESSAGES * run.plan.pace.slow[1];
  }

  /** Records the claims after a commit. */
  observe(claims: readonly Claim[]): void {
    const { nowMs } = this.run.world;
    this.claims = new Map(
      claims.map((claim) => [
        claim.key,
        { ...claim, due: this.claims.get(claim.key)?.due ?? claim.due ?? nowMs },
      ]),
    );
  }

  /** Returns sentences about overdue claims, given the organizations' ids in order. */
  late(organizations: readonly string[]): string[] {
    const { nowMs } = this.run.world;
    return [...this.claims.values()].flatMap(({ key, organization, what, due }) => {
      const limitMs = this.limitMs + (key.startsWith(DELIVERED) ? BUSY_RECEIVER_MS : 0);
      if (this.healthyMs(due, nowMs) <= limitMs || this.isItsOwn(key, organizations.indexOf(organization)))
        return [];
      return `${what}, since ${new Date(due).toISOString()}, although nothing that organization ${organization} shares with others was away`;
    });
  }

  /** Records an API request that got no response or status 503. */
  unanswered(line: { method: string; path: string; sent_at: string; status: number | null }): string[] {
    const { method, path, sent_at: sentAt, status } = line;
    if (status !== null && status < 500) return [];
    const fromMs = Date.parse(sentAt);
    const untilMs = this.run.world.nowMs;
    if (this.hadOutage(fromMs, untilMs) || this.isSlow) return [];
    return [
      `${method} ${path}, sent at ${sentAt}, was answered with ${status ?? 'nothing'}, although nothing was unreachable`,
    ];
  }

  /** True if messages take seconds, which is treated as an outage. */
  private get isSlow(): boolean {
    return this.run.plan.pace.slow[1] > 1_000;
  }

  private isItsOwn(key: string, organization: number): boolean {
    if (!key.startsWith(DELIVERED)) return false;
    const [, eventId, attempt] = key.split(' ');
    const hasArrived = this.run.receiver.lines.some(
      (line) => line.event_id === eventId && line.attempt === Number(attempt),
    );
    return hasArrived || hasSlowReceiver(this.run.plan, organization);
  }

  /** Includes an outage that began up to a millisecond earlier, because a request is lost together with its process. */
  private hadOutage(fromMs: number, untilMs: number): boolean {
    return this.run.outages.some(
      (outage) => outage.fromMs <= untilMs && outage.untilMs + AFTER_OUTAGE_MS > fromMs,
    );
  }

  private healthyMs(fromMs: number, untilMs: number): number {
    let healthyMs = 0;
    let atMs = fromMs;
    for (const outage of [...this.run.outages].sort((one, other) => one.fromMs - other.fromMs)) {
      if (outage.fromMs >= untilMs) break;
      healthyMs += Math.max(0, outage.fromMs - atMs);
      atMs = Math.max(atMs, outage.untilMs + AFTER_OUTAGE_MS);
    }
    return healthyMs + Math.max(0, untilMs - atMs);
  }
}

/** Returns true if the organization's receiver is so slow that its webhooks wait for each other. */
const hasSlowReceiver = ({ campaigns, happenings }: SimulationPlan, organization: number): boolean =>
  campaigns.some(
    ({ organization: own, webhook, callWebhook }) =>
      own === organization && (webhook === '/hanging' || callWebhook === '/hanging'),
  ) ||
  happenings.some((happening) => happening.kind === 'receiver' && happening.organization === organization);
