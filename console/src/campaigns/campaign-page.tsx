import { getRouteApi, Link } from '@tanstack/react-router';
import type { CampaignDetail } from '../../../sdk/typescript/generated';
import { useState } from 'react';
import { useMay } from '../app/may';
import { useProgress, type LiveState } from '../api/live';
import { countOf, percentOf } from '../format/numbers';
import { Bar } from '../parts/bar';
import { PageHead } from '../parts/page-head';
import { Answer } from '../parts/states';
import { Status } from '../parts/status';
import { CampaignActions } from './campaign-actions';
import { Contacts } from './contacts';
import { EditCampaign } from './edit/edit-campaign';
import { Forecast } from './forecast';
import { Now } from './now';
import { Outcomes } from './outcomes';
import { useCampaign } from './queries';
import { Settings } from './settings';

const route = getRouteApi('/campaigns/$campaignId');

export function CampaignPage() {
  const { campaignId } = route.useParams();
  const campaign = useCampaign(campaignId);
  const live = useProgress(`/api/campaigns/${encodeURIComponent(campaignId)}/live`, ['campaign', campaignId]);
  return (
    <Answer query={campaign} of="the campaign">
      {(detail) => (
        <>
          <PageHead
            title={detail.campaign_name}
            back={<Link to="/campaigns">Campaigns</Link>}
            beside={<Status of={detail.campaign_status} />}
          >
            <CampaignActions campaign={detail} />
          </PageHead>
          <div className="columns">
            <div className="stack">
              <Progress campaign={detail} live={live.state} />
              {isOpen(detail) && live.progress !== null && <Now progress={live.progress} />}
              {live.progress !== null && <Outcomes of={live.progress.outcomes} />}
              {isOpen(detail) && <Forecast campaign={detail} />}
              <Contacts campaignId={campaignId} />
            </div>
            <SettingsOrEdit campaign={detail} />
          </div>
        </>
      )}
    </Answer>
  );
}

/** Keeps what was typed while the page is read again. */
function SettingsOrEdit({ campaign }: { campaign: CampaignDetail }) {
  const [isEdited, setEdited] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const mayEdit = useMay('operate') && isOpen(campaign);
  const close = (): void => {
    setEdited(false);
    setWasEdited(true);
  };
  if (isEdited) return <EditCampaign campaign={campaign} onClose={close} />;
  return (
    <Settings
      campaign={campaign}
      isEditFocused={wasEdited}
      {...(mayEdit && { onEdit: () => setEdited(true) })}
    />
  );
}

const isOpen = ({ campaign_status: status }: CampaignDetail): boolean =>
  status !== 'completed' && status !== 'cancelled';

const LIVE_WORDS: Record<LiveState, string> = {
  connecting: 'Connecting…',
  live: 'Updated as it happens',
  off: 'As of when the page was opened',
};

function Progress({ campaign, live }: { campaign: CampaignDetail; live: LiveState }) {
  const { total_calls: total, completed, in_progress: active, pending, failed } = campaign.stats;
  return (
    <section className="card" aria-labelledby="progress">
      <header>
        <h2 id="progress">Progress</h2>
        {isOpen(campaign) && <span className="aside">{LIVE_WORDS[live]}</span>}
      </header>
      <div className="body">
        {campaign.status_reason !== null && <p className="reason">{campaign.status_reason}</p>}
        <Bar
          whole={total}
          parts={[
            { tone: 'done', value: completed },
            { tone: 'active', value: active },
            { tone: 'lost', value: failed },
          ]}
        />
        <dl className="key">
          <Count tone="done" of="Reached" value={completed} share={percentOf(completed, total)} />
          <Count tone="active" of="On the phone now" value={active} />
          <Count tone="left" of="Still to call" value={pending} />
          <Count tone="lost" of="Not reached" value={failed} share={percentOf(failed, total)} />
        </dl>
      </div>
    </section>
  );
}

function Count({ tone, of, value, share }: { tone: string; of: string; value: number; share?: string }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>
        {countOf(value)} {share !== undefined && <small>{share}</small>}
      </dd>
      <i className={tone} aria-hidden="true" />
    </div>
  );
}
