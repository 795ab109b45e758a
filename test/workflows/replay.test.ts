import { WORKFLOW_TYPES } from '../../workflows/contract';
import { workflowBundle } from '../servers/bundle';
import { bundleChanged, type Change } from './support/changed-workflows';
import { replay } from './support/replay';
import { HISTORY_FILES, newestHistory, storedHistory, VERSIONS } from './support/stored-histories';

/** Bundling takes long on a busy machine. */
const BUNDLED_WITHIN_MS = 180_000;

const namesWithout = (faults: Record<string, string | null>, fault: string | null): string[] =>
  Object.keys(faults).filter((name) => faults[name] !== fault);

const refusedIn = (faults: Record<string, string | null>): string[] => namesWithout(faults, null);

describe('the set of stored histories', () => {
  test('covers each kind of workflow, both closed and running', () => {
    expect(VERSIONS.length).toBeGreaterThan(0);
    const histories = HISTORY_FILES.map(storedHistory);
    const types = histories.map(
      ({ history }) => history.events[0].workflowExecutionStartedEventAttributes.workflowType.name,
    );
    expect([...new Set(types)].sort()).toEqual(Object.values(WORKFLOW_TYPES).sort());
    const lastEvents = new Set(histories.map(({ history }) => history.events.at(-1).eventType));
    expect(lastEvents).toContain('EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED');
    expect(lastEvents).toContain('EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW');
    expect([...lastEvents].some((type: string) => !/_WORKFLOW_EXECUTION_/.test(type))).toBe(true);
  });

  test(
    'replays with the current workflows',
    async () => {
      const faults = await replay(workflowBundle(), HISTORY_FILES.map(storedHistory));
      expect(refusedIn(faults)).toEqual([]);
      expect(Object.keys(faults)).toEqual(HISTORY_FILES);
    },
    BUNDLED_WITHIN_MS,
  );
});

describe('a change of a workflow', () => {
  /** Histories that contain the changed step. `untouched` doesn't contain it. */
  const dialled = ['call-completed', 'call-busy-attempt-1', 'dispatch-completed'].map(newestHistory);
  const untouched = newestHistory('inbound-call-completed');
  const fed = ['campaign-completed-run-1', 'campaign-redials-run-1'].map(newestHistory);
  const all = [...dialled, untouched, ...fed];

  const pauseBeforeTheDial: Change = {
    file: 'call-dial.ts',
    before: /(const dialled: Dialled = await step\(call, carrier\.dial,)/,
    after: 'await sdk.sleep(1000);\n    $1',
  };
  const queueBeforeTheStart: Change = {
    file: 'campaign.ts',
    before:
      /(await Promise\.all\(page\.claimed\.map\([^;]+;)(\s+const callIds = [^;]+;\s+await campaignRows\.registerWaiting\([^;]+;)/,
    after: '$2\n      $1',
  };

  test(
    'breaks the replay of exactly those calls that have dialled if it adds a timer before the dial',
    async () => {
      const faults = await replay(await bundleChanged(pauseBeforeTheDial), [...dialled, untouched]);
      expect(namesWithout(faults, 'DeterminismViolationError')).toEqual([untouched.name]);
      expect(faults[untouched.name]).toBeNull();
    },
    BUNDLED_WITHIN_MS,
  );

  test(
    'breaks the replay of exactly those campaigns that have taken two steps if it swaps the steps',
    async () => {
      const faults = await replay(await bundleChanged(queueBeforeTheStart), fed);
      expect(namesWithout(faults, 'DeterminismViolationError')).toEqual([]);
    },
    BUNDLED_WITHIN_MS,
  );

  test.each<[string, Change]>([
    [
      'a timer',
      {
        ...pauseBeforeTheDial,
        after: "if (sdk.patched('pause-before-the-dial')) await sdk.sleep(1000);\n    $1",
      },
    ],
    [
      'another order',
      {
        ...queueBeforeTheStart,
        after:
          "const queueFirst = sdk.patched('queue-before-the-start');\n" +
          '      if (!queueFirst) { $1 }$2\n      if (queueFirst) { $1 }',
      },
    ],
  ])(
    'breaks no replay if it is behind a patch: %s',
    async (_what, change) => {
      const faults = await replay(await bundleChanged(change), all);
      expect(refusedIn(faults)).toEqual([]);
    },
    BUNDLED_WITHIN_MS,
  );

  test(
    'breaks no replay if it only rewords texts for operators',
    async () => {
      const reworded: Change = {
        file: 'call.ts',
        before: /'deadline of the call'/,
        after: "'until when it must end'",
      };
      const faults = await replay(await bundleChanged(reworded), all);
      expect(refusedIn(faults)).toEqual([]);
    },
    BUNDLED_WITHIN_MS,
  );
});
