import type { CampaignDetail } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { useSwitch, type Verb } from './queries';

const DONE: Record<Verb, string> = {
  pause: 'The campaign is paused. It dials no more contacts.',
  resume: 'The campaign is resumed.',
  cancel: 'The campaign is cancelled.',
};

/** Offers only actions that the campaign's status and the key's scopes allow. */
export function CampaignActions({ campaign }: { campaign: CampaignDetail }) {
  const { mutateAsync } = useSwitch(campaign.id);
  const report = useNotice();
  const { campaign_status: status, stats } = campaign;
  const change = async (verb: Verb): Promise<void> => {
    await mutateAsync(verb);
    report(DONE[verb]);
  };
  const mayChange = useMay('operate') && status !== 'completed' && status !== 'cancelled';

  return (
    <>
      <Report campaignId={campaign.id} />
      {mayChange && status !== 'paused' && (
        <Confirm action="Pause" title={`Pause ${campaign.campaign_name}?`} onConfirm={() => change('pause')}>
          It dials no more contacts until you resume it. {ongoing(stats.in_progress)}
        </Confirm>
      )}
      {mayChange && status === 'paused' && (
        <Confirm
          action="Resume"
          title={`Resume ${campaign.campaign_name}?`}
          onConfirm={() => change('resume')}
        >
          It dials the {countOf(stats.pending)} remaining contacts as soon as its window is open.
        </Confirm>
      )}
      {mayChange && (
        <Confirm
          action="Cancel campaign"
          title={`Cancel ${campaign.campaign_name}?`}
          isDanger
          onConfirm={() => change('cancel')}
        >
          It will never dial the {countOf(stats.pending)} remaining contacts. You can’t undo this.{' '}
          {ongoing(stats.in_progress)}
        </Confirm>
      )}
    </>
  );
}

function ongoing(calls: number): string {
  if (calls === 0) return '';
  return calls === 1 ? 'The live call finishes.' : `The ${countOf(calls)} live calls finish.`;
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
