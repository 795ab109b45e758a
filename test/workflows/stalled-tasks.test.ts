import { workflowBundle } from '../servers/bundle';
import { replay } from './support/replay';
import { stalledVariants } from './support/stalled-tasks';
import { HISTORY_FILES, storedHistory } from './support/stored-histories';

/** Hundreds of replays take long on a busy machine. */
const REPLAYED_WITHIN_MS = 180_000;

describe('a workflow task that timed out during its local activities and was completed by the same worker', () => {
  const histories = HISTORY_FILES.map(storedHistory);

  test.each([
    ['without a signal between', stalledVariants(histories, { signalled: false })],
    ['with a signal, a timer or a cancellation between', stalledVariants(histories, { signalled: true })],
  ])(
    'leaves a history that can be replayed, %s',
    async (_which, variants) => {
      const faults = await replay(workflowBundle(), variants);
      expect(Object.keys(faults)).toEqual(variants.map(({ name }) => name));
      expect(Object.entries(faults).filter(([, fault]) => fault !== null)).toEqual([]);
    },
    REPLAYED_WITHIN_MS,
  );

  test('covers each local activity of calls and campaigns', () => {
    const answered = stalledVariants(histories, { signalled: true }).flatMap(({ activities }) => activities);
    expect([...new Set(answered)]).toEqual(
      expect.arrayContaining([
        'requestLine',
        'dial',
        'attendCall',
        'surveyCampaign',
        'claimPage',
        'registerWaiting',
      ]),
    );
  });
});
