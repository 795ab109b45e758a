import { getRouteApi, Link } from '@tanstack/react-router';
import type { CampaignDetail } from '../../../sdk/typescript/generated';
import { useState } from 'react';
import { useMay } from '../app/session';
import { useProgress } from '../api/live';
import { countOf, percentOf } from '../format/values';
import { Bar, Figure } from '../parts/bar';
import { QueriedPage, PageHead } from '../parts/page-head';
import { Status } from '../parts/status';
import { CampaignActions } from './campaign-actions';
import { Contacts } from './contacts';
import { EditCampaign } from './edit/edit-campaign';
import { Forecast } from './forecast';
import { Ended, Now } from './now';
import { useCampaign } from './queries';
import { Settings } from './settings';

const route = getRouteApi('/campaigns/$campaignId');

export function CampaignPage() {
  const { campaignId } = route.useParams();
  const campaign = useCampaign(campaignId);
  const live = useProgress(`/api/campaigns/${encodeURIComponent(campaignId)}/live`, ['campaign', campaignId]);
  const progress = live.progress.get(campaignId);
  const mayOperate = useMay('operate');
  return (
    <QueriedPage
      query={campaign}
      of="the campaign"
      title="Campaign"
      back={<Link to="/campaigns">Campaigns</Link>}
    >
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
              <Progress stats={(live.state === 'off' ? undefined : progress?.stats) ?? detail.stats} />
              {isOpen(detail) ? (
                <Now campaign={detail} live={live} progress={progress} />
              ) : (
                <Ended campaign={detail} progress={progress} />
              )}
              {isOpen(detail) && <Forecast campaign={detail} />}
              <Contacts campaignId={campaignId} mayAppend={mayOperate && isOpen(detail)} />
            </div>
            <SettingsOrEdit campaign={detail} />
          </div>
        </>
      )}
    </QueriedPage>
  );
}

/** Keeps the edit form open while the campaign is refetched. */
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

function Progress({ stats }: { stats: CampaignDetail['stats'] }) {
  const { total_calls: total, completed, in_progress: active, pending, failed } = stats;
  return (
    <section className="card" aria-labelledby="progress">
      <header>
        <h2 id="progress">Progress</h2>
      </header>
      <div className="body">
        <Bar
          whole={total}
          parts={[
            { tone: 'done', value: completed },
            { tone: 'active', value: active },
            { tone: 'lost', value: failed },
          ]}
        />
        <dl className="key">
          <Figure of="Reached" tone="done" beside={percentOf(completed, total)}>
            {countOf(completed)}
          </Figure>
          <Figure of="On the phone now" tone="active">
            {countOf(active)}
          </Figure>
          <Figure of="Still to call" tone="left">
            {countOf(pending)}
          </Figure>
          <Figure of="Not reached" tone="lost" beside={percentOf(failed, total)}>
            {countOf(failed)}
          </Figure>
        </dl>
      </div>
    </section>
  );
}
