import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';

export function StopEverything() {
  const queries = useQueryClient();
  const announce = useNotice();
  /** What was changed before it failed is shown too. */
  const change = async (switchAll: () => Promise<string>): Promise<void> => {
    try {
      announce(await switchAll());
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
        What “Pause all campaigns” has paused goes on, as soon as its window is open. A campaign that a brake
        or somebody has paused by itself, or that was changed since, stays paused.
      </Confirm>
      <Confirm
        action="Pause all campaigns"
        title="Pause every campaign?"
        isDanger
        onConfirm={() => change(pauseAll)}
      >
        Nothing more is dialled by any campaign until somebody resumes it, by itself or all together. Calls
        that are under way are finished.
      </Confirm>
    </>
  );
}

async function pauseAll(): Promise<string> {
  const { paused } = await answerOf(api.POST('/api/campaigns/pause-all'));
  return paused === 0
    ? 'There is no campaign that would dial.'
    : `${campaignsOf(paused, 'paused')}: nothing more is dialled.`;
}

async function resumeAll(): Promise<string> {
  const { resumed, left_paused: left } = await answerOf(api.POST('/api/campaigns/resume-all'));
  if (resumed + left === 0) return 'No campaign was paused with all others.';
  const kept =
    left === 0 ? '' : ` ${campaignsOf(left, 'still paused')}: the number is not yours to call from.`;
  return `${campaignsOf(resumed, 'resumed')}.${kept}`;
}

const campaignsOf = (count: number, what: string): string =>
  `${countOf(count)} ${count === 1 ? 'campaign is' : 'campaigns are'} ${what}`;
