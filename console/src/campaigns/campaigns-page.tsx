import { getRouteApi, Link } from '@tanstack/react-router';
import {
  CAMPAIGN_STATUSES,
  type CampaignListItem,
  type CampaignProgress,
} from '../../../sdk/typescript/generated';
import { useAgentNames } from '../agents/queries';
import { useProgress, type Live } from '../api/live';
import { useMay } from '../app/session';
import { countOf, percentOf } from '../format/values';
import { instantOf } from '../format/time';
import { Bar } from '../parts/bar';
import { Chips } from '../parts/chips';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { QueryResult, Empty } from '../parts/states';
import { Status, wordsOf } from '../parts/status';
import { FindPerson } from './find-person';
import { useCampaigns } from './queries';

const route = getRouteApi('/campaigns');

export function CampaignsPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const campaigns = useCampaigns(filters);
  const agents = useAgentNames();
  const mayStart = useMay('operate');
  const { state, progress } = useProgress('/api/live', ['campaigns']);

  return (
    <>
      <PageHead title="Campaigns">
        {mayStart && (
          <Link to="/campaigns/new" className="button primary">
            New campaign
          </Link>
        )}
      </PageHead>
      <FindPerson />
      <Chips
        label="Status"
        choices={CAMPAIGN_STATUSES}
        chosen={filters.status}
        wordsOf={wordsOf}
        onChoose={(status) => void navigate({ search: { status } })}
      />
      <section className="card" aria-label="Campaigns">
        <QueryResult query={campaigns} of="the campaigns">
          {({ campaigns: found, pagination }) =>
            found.length === 0 ? (
              <NoCampaigns isFiltered={filters.status !== undefined} />
            ) : (
              <>
                <Table campaigns={found} agents={agents} progress={state === 'off' ? undefined : progress} />
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total}
                  of={pagination.total === 1 ? 'campaign' : 'campaigns'}
                  onPage={(page) => void navigate({ search: { ...filters, page } })}
                />
              </>
            )
          }
        </QueryResult>
      </section>
    </>
  );
}

function NoCampaigns({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No campaigns with this status">
      <Link to="/campaigns">Show all</Link>
    </Empty>
  ) : (
    <Empty title="No campaigns yet">
      <p>A campaign calls the contacts in a file during the hours you choose.</p>
    </Empty>
  );
}

interface TableProps {
  campaigns: CampaignListItem[];
  agents: ReadonlyMap<string, string>;
  /** Latest progress by campaign id. */
  progress: Live['progress'] | undefined;
}

function Table({ campaigns, agents, progress }: TableProps) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Campaign</th>
            <th>Status</th>
            <th>Contacts reached</th>
            <th>Agent</th>
            <th className="number">Lines</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((campaign) => (
            <tr key={campaign.id}>
              <td>
                <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.id }} className="row">
                  {campaign.campaign_name}
                </Link>
              </td>
              <td>
                <Status of={campaign.campaign_status} />
              </td>
              <td className="wide reached">
                <Bar
                  parts={[{ tone: 'done', value: campaign.completed_calls }]}
                  whole={campaign.total_leads}
                />
                <span>
                  {countOf(campaign.completed_calls)} of {countOf(campaign.total_leads)}
                  <span className="soft"> · {percentOf(campaign.completed_calls, campaign.total_leads)}</span>
                </span>
              </td>
              <td className="soft">{agents.get(campaign.agent_id) ?? '–'}</td>
              <td className="number" data-label="Lines">
                {linesOf(campaign, progress?.get(campaign.id))}
              </td>
              <td className="soft nowrap">{instantOf(campaign.created_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Formats the lines in use and the maximum, such as `2 of 5`. */
function linesOf(
  { call_concurrency: max }: CampaignListItem,
  progress: CampaignProgress | undefined,
): string {
  return progress === undefined || progress.ended_at !== null
    ? countOf(max)
    : `${countOf(progress.lines_in_use)} of ${countOf(progress.call_concurrency)}`;
}
