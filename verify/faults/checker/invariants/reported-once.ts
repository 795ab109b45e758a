/** A campaign reaches its end and reports it with a single event id, even if that event is delivered repeatedly. */
import type { Run } from '../run';

const ENDS = ['completed', 'cancelled'] as const;

export function reportedOnce(run: Run): string[] {
  return run.evidence.campaigns.flatMap(({ id }) => {
    const row = run.rows.campaigns.find((campaign) => campaign.id === id);
    if (row === undefined) return [];
    const ended = ENDS.find((status) => status === row.status && row.ended_at !== null);
    if (ended === undefined) return `campaign ${id} has not ended: it is ${row.status} at the end of the run`;
    if (row.webhook_url === null) return [];
    return ENDS.flatMap((end) => {
      const eventIds = announcements(run, id, `campaign.${end}`);
      const expected = end === ended ? 1 : 0;
      if (eventIds.length === expected) return [];
      return `campaign ${id} is ${ended}, and campaign.${end} was reported ${eventIds.length} times${listed(eventIds)}`;
    });
  });
}

/** Returns event ids from the delivery ledger and from what the receivers got. */
function announcements({ rows, evidence }: Run, campaignId: string, event: string): string[] {
  const written = rows.deliveries.filter((each) => each.campaign_id === campaignId && each.event === event);
  const received = evidence.receiver.filter(
    (each) => each.campaign_id === campaignId && each.event === event,
  );
  return [...new Set([...written, ...received].flatMap(({ event_id }) => event_id ?? []))];
}

const listed = (ids: string[]): string => (ids.length === 0 ? '' : ` (${ids.join(', ')})`);
