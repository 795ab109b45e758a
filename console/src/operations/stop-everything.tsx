import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';

const DIALLING = ['active', 'scheduled', 'paused_out_of_range'] as const;

/**
 * Pauses each campaign that dials or would dial by itself, those that dial now first. What was paused stays so where one fails. A campaign
 * may go from one status to another meanwhile, so that all are looked at again until none is new; one that somebody resumes is left to them.
 */
async function pauseAll(): Promise<number> {
  const paused = new Set<string>();
  for (let before = -1; before < paused.size;) {
    before = paused.size;
    for (const status of DIALLING) {
      for (const id of (await idsOf(status)).filter((each) => !paused.has(each))) {
        await api.POST('/api/campaigns/{campaign_id}/pause', { params: { path: { campaign_id: id } } });
        paused.add(id);
      }
    }
  }
  return paused.size;
}

async function idsOf(status: (typeof DIALLING)[number]): Promise<string[]> {
  const query = { status, page_size: 100 };
  const { campaigns } = await answerOf(api.GET('/api/campaigns/', { params: { query } }));
  return campaigns.map(({ id }) => id);
}

export function StopEverything() {
  const queries = useQueryClient();
  const announce = useNotice();
  const stop = async (): Promise<void> => {
    try {
      const count = await pauseAll();
      announce(
        count === 0
          ? 'There is no campaign that would dial.'
          : `${countOf(count)} ${count === 1 ? 'campaign is' : 'campaigns are'} paused: nothing more is dialled.`,
      );
    } finally {
      await queries.invalidateQueries({ queryKey: ['campaigns'] });
      await queries.invalidateQueries({ queryKey: ['campaign'] });
    }
  };
  return (
    <Confirm action="Pause all campaigns" title="Pause every campaign?" isDanger onConfirm={stop}>
      Nothing more is dialled by any campaign until somebody resumes it, each by itself. Calls that are under
      way are finished.
    </Confirm>
  );
}
