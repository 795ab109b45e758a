import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';

export function StopEverything() {
  const queries = useQueryClient();
  const report = useNotice();
  /** Refetches even after a failure, because some campaigns may have changed. */
  const change = async (switchAll: () => Promise<string>): Promise<void> => {
    try {
      report(await switchAll());
    } finally {
      await queries.invalidateQueries({ queryKey: ['campaigns'] });
      await queries.invalidateQueries({ queryKey: ['campaign'] });
    }
  };
  return (
    <>
      <Confirm
        action="Resume all campaigns"
        title="Resume the campaigns that were paused together?"
        onConfirm={() => change(resumeAll)}
      >
        Campaigns that “Pause all campaigns” paused continue as soon as their window is open. A campaign that
        a limit or a person paused, or that was changed since, stays paused.
      </Confirm>
      <Confirm
        action="Pause all campaigns"
        title="Pause every campaign?"
        isDanger
        onConfirm={() => change(pauseAll)}
      >
        No campaign dials any more contacts until you resume it, alone or with all others. Live calls finish.
      </Confirm>
    </>
  );
}

async function pauseAll(): Promise<string> {
  const { paused } = await api.post('/api/campaigns/pause-all');
  return paused === 0
    ? 'No campaign is active.'
    : `${campaignsOf(paused, 'paused')}. No contact is dialled until you resume.`;
}

async function resumeAll(): Promise<string> {
  const { resumed, left_paused: left } = await api.post('/api/campaigns/resume-all');
  if (resumed + left === 0) return '“Pause all campaigns” has paused no campaign.';
  const kept =
    left === 0 ? '' : ` ${campaignsOf(left, 'still paused')}, because you can’t call from their number.`;
  return `${campaignsOf(resumed, 'resumed')}.${kept}`;
}

const campaignsOf = (count: number, what: string): string =>
  `${countOf(count)} ${count === 1 ? 'campaign is' : 'campaigns are'} ${what}`;
