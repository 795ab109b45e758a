import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { countOf } from '../format/values';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';

export function StopEverything() {
  const queries = useQueryClient();
  const report = useNotice();
  /** Refetches even after a failure, because some campaigns may have changed. */
  const run = async (action: () => Promise<string>): Promise<void> => {
    try {
      report(await action());
    } finally {
      await queries.invalidateQueries({ queryKey: ['campaigns'] });
      await queries.invalidateQueries({ queryKey: ['campaign'] });
    }
  };
  return (
    <>
      <Confirm
        action="Resume all campaigns"
        title="Resume all campaigns that were paused together?"
        onConfirm={() => run(resumeAll)}
      >
        Campaigns paused with “Pause all campaigns” continue as soon as their calling window is open.
        Campaigns that were paused individually or by a limit, or that were edited since, stay paused.
      </Confirm>
      <Confirm
        action="Pause all campaigns"
        title="Pause every campaign?"
        isDanger
        onConfirm={() => run(pauseAll)}
      >
        No campaign will dial any more contacts until you resume it, individually or with “Resume all
        campaigns”. Live calls will finish.
      </Confirm>
    </>
  );
}

async function pauseAll(): Promise<string> {
  const { paused } = await api.post('/api/campaigns/pause-all');
  return paused === 0
    ? 'No campaign is active.'
    : `${campaignsOf(paused, 'paused')}. No more contacts will be dialled until you resume.`;
}

async function resumeAll(): Promise<string> {
  const { resumed, left_paused: left } = await api.post('/api/campaigns/resume-all');
  if (resumed + left === 0) return 'No campaigns are paused with “Pause all campaigns”.';
  const note =
    left === 0 ? '' : ` ${campaignsOf(left, 'still paused')} because you can’t call from their number.`;
  return `${campaignsOf(resumed, 'resumed')}.${note}`;
}

const campaignsOf = (count: number, state: string): string =>
  `${countOf(count)} ${count === 1 ? 'campaign is' : 'campaigns are'} ${state}`;
