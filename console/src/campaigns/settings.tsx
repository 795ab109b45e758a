import { Link } from '@tanstack/react-router';
import type { CampaignDetail } from '../../../sdk/typescript/generated';
import { useAgentNames } from '../agents/queries';
import { dayOf, instantOf, zoneOfBrowser } from '../format/time';
import { localWindowOf, windowOf } from '../format/window';
import { WorkflowLink } from '../parts/workflow-link';
import { daysOf } from './weekdays';

interface SettingsProps {
  campaign: CampaignDetail;
  onEdit?: () => void;
  /** Focuses the edit button, for a user who has just closed the form. */
  isEditFocused?: boolean;
}

export function Settings({ campaign, onEdit, isEditFocused = false }: SettingsProps) {
  const agents = useAgentNames();
  const path = `/api/campaigns/${encodeURIComponent(campaign.id)}/file`;
  return (
    <section className="card" aria-labelledby="settings">
      <header>
        <h2 id="settings">Settings</h2>
        {onEdit !== undefined && (
          <button type="button" className="button aside" autoFocus={isEditFocused} onClick={onEdit}>
            Edit
          </button>
        )}
      </header>
      <div className="body">
        <dl className="facts">
          <dt>Agent</dt>
          <dd>{agents.get(campaign.agent_id) ?? '–'}</dd>
          <dt>Calling hours</dt>
          <dd>{hoursOf(campaign)}</dd>
          <dt>Days</dt>
          <dd>{daysOf(campaign.days_of_week)}</dd>
          <dt>From</dt>
          <dd>{dayOf(campaign.start_date)}</dd>
          <dt>Until</dt>
          <dd>{dayOf(campaign.end_date)}</dd>
          <dt>Lines</dt>
          <dd>{campaign.call_concurrency}</dd>
          <dt>Dials</dt>
          <dd>{dialsOf(campaign)}</dd>
          {campaign.rule_profile !== null && (
            <>
              <dt>Rule profile</dt>
              <dd>{campaign.rule_profile}</dd>
            </>
          )}
          <dt>Do-not-disturb lists</dt>
          <dd>{campaign.perform_dnd_check ? 'Checked' : 'Not checked'}</dd>
          <Notified campaign={campaign} />
          <dt>Contacts</dt>
          <dd>
            <a href={path} download>
              Download the file ({campaign.contact_source_type})
            </a>
          </dd>
          <dt>Created</dt>
          <dd>{instantOf(campaign.created_at)}</dd>
          <dt>Calls</dt>
          <dd>
            <Link to="/calls" search={{ campaign: campaign.id }}>
              All calls of this campaign
            </Link>
          </dd>
          <WorkflowLink of="campaign" id={campaign.id} />
        </dl>
      </div>
    </section>
  );
}

function hoursOf({
  time_range_from: from,
  time_range_to: to,
  window_timezone: zone,
}: CampaignDetail): string {
  if (zone === 'utc') return windowOf(from, to, zoneOfBrowser(), new Date());
  return localWindowOf(from, to, zone);
}

function dialsOf({ max_retries: max, retry_after_mins: minutes }: CampaignDetail): string {
  return max === 1 ? '1 per contact' : `Up to ${max} per contact, ${minutes} min apart`;
}

/** Lists the recipients of webhooks and e-mails. */
function Notified({ campaign }: { campaign: CampaignDetail }) {
  return (
    <>
      {campaign.webhook_url !== null && (
        <>
          <dt>Campaign webhook</dt>
          <dd className="mono">{campaign.webhook_url}</dd>
        </>
      )}
      {campaign.per_call_webhook_url !== null && (
        <>
          <dt>Call webhook</dt>
          <dd className="mono">{campaign.per_call_webhook_url}</dd>
        </>
      )}
      {campaign.notification_emails.length > 0 && (
        <>
          <dt>Report e-mailed to</dt>
          <dd>{campaign.notification_emails.join(', ')}</dd>
        </>
      )}
    </>
  );
}
