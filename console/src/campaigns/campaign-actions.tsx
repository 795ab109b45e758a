import type { CampaignDetail } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { countOf } from '../format/values';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { useSwitch, type Verb } from './queries';

const DONE: Record<Verb, string> = {
  pause: 'Campaign paused. No more contacts will be dialled.',
  resume: 'Campaign resumed.',
  cancel: 'Campaign cancelled.',
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
          It won’t dial any more contacts until you resume it. {liveCallsText(stats.in_progress)}
        </Confirm>
      )}
      {mayChange && status === 'paused' && (
        <Confirm
          action="Resume"
          title={`Resume ${campaign.campaign_name}?`}
          onConfirm={() => change('resume')}
        >
          It will dial {remainingText(stats.pending)} as soon as its calling window is open.
        </Confirm>
      )}
      {mayChange && (
        <Confirm
          action="Cancel campaign"
          title={`Cancel ${campaign.campaign_name}?`}
          isDanger
          onConfirm={() => change('cancel')}
        >
          It won’t dial {remainingText(stats.pending)}. You can’t undo this.{' '}
          {liveCallsText(stats.in_progress)}
        </Confirm>
      )}
    </>
  );
}

const remainingText = (contacts: number): string =>
  contacts === 1 ? 'the remaining contact' : `the ${countOf(contacts)} remaining contacts`;

function liveCallsText(calls: number): string {
  if (calls === 0) return '';
  return calls === 1 ? 'The live call will finish.' : `The ${countOf(calls)} live calls will finish.`;
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
