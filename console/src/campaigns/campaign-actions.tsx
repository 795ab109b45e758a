import type { CampaignDetail } from '../../../sdk/typescript/generated';
import { useMay } from '../app/may';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { useSwitch, type Verb } from './queries';

const DONE: Record<Verb, string> = {
  pause: 'The campaign is paused: nothing more is dialled.',
  resume: 'The campaign goes on.',
  cancel: 'The campaign is cancelled for good.',
};

/** Only what the campaign's status and the person's key allow is offered. */
export function CampaignActions({ campaign }: { campaign: CampaignDetail }) {
  const { mutateAsync } = useSwitch(campaign.id);
  const announce = useNotice();
  const { campaign_status: status, stats } = campaign;
  const change = async (verb: Verb): Promise<void> => {
    await mutateAsync(verb);
    announce(DONE[verb]);
  };
  const mayChange = useMay('operate') && status !== 'completed' && status !== 'cancelled';

  return (
    <>
      <Report campaignId={campaign.id} />
      {mayChange && status !== 'paused' && (
        <Confirm action="Pause" title={`Pause ${campaign.campaign_name}?`} onConfirm={() => change('pause')}>
          Nothing more is dialled until somebody resumes it. {ongoing(stats.in_progress)}
        </Confirm>
      )}
      {mayChange && status === 'paused' && (
        <Confirm
          action="Resume"
          title={`Resume ${campaign.campaign_name}?`}
          onConfirm={() => change('resume')}
        >
          It dials the {countOf(stats.pending)} contacts that are left, as soon as its window is open.
        </Confirm>
      )}
      {mayChange && (
        <Confirm
          action="Cancel campaign"
          title={`Cancel ${campaign.campaign_name} for good?`}
          isDanger
          onConfirm={() => change('cancel')}
        >
          The {countOf(stats.pending)} contacts that are left are never dialled by it. This cannot be undone.{' '}
          {ongoing(stats.in_progress)}
        </Confirm>
      )}
    </>
  );
}

function ongoing(calls: number): string {
  if (calls === 0) return '';
  return calls === 1
    ? 'The call that is under way is finished.'
    : `The ${countOf(calls)} calls that are under way are finished.`;
}

function Report({ campaignId }: { campaignId: string }) {
  const path = `/api/campaigns/${encodeURIComponent(campaignId)}/report`;
  return (
    <>
      <a className="button" href={`${path}?format=xlsx`} download>
        Report (Excel)
      </a>
      <a className="button" href={`${path}?format=csv`} download>
        CSV
      </a>
    </>
  );
}
