/** Defines tests of a manager who uses the console in a browser. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../servers/availability';
import { published } from '../../servers/published';
import { ConsolePage } from './console-page';
import { openConsole, type ConsoleRig, type ConsoleSettings } from './open-console';
import { newShift, type Shift } from './shift';

export interface Manager {
  rig: ConsoleRig;
  shift: Shift;
  /** The console, signed in, on the list of campaigns. */
  on: ConsolePage;
}

type ManagerTest = (title: string, run: (manager: Manager) => Promise<void>) => void;

interface ManagerTests {
  /** A task of the twelve. It starts from the first page and uses only what it shows. Its effort is listed at the end of the run. */
  task: ManagerTest;
  check: ManagerTest;
}

/** The file in which `report-tasks.js` finds the efforts. */
const EFFORTS = 'console-tasks.jsonl';

/**
 * Defines a suite on one organization, with a new browser context per test. A test fails on errors of scripts or the content security
 * policy.
 */
export function describeManager(
  title: string,
  suite: (tests: ManagerTests) => void,
  settings?: ConsoleSettings,
): void {
  describeWith('chromium', title, () => {
    let rig: ConsoleRig;
    let shift: Shift;
    beforeAll(async () => {
      rig = await openConsole(settings);
      shift = await newShift(rig.api);
    });
    afterAll(() => rig.close());

    const withPage = async (run: (manager: Manager) => Promise<void>): Promise<void> => {
      const on = await ConsolePage.signedIn(rig);
      try {
        await on.heading('Campaigns');
        await run({ rig, shift, on });
        expect(on.faults).toEqual([]);
      } finally {
        await on.close();
      }
    };
    suite({
      task: (name, run) =>
        test(name, () => withPage((manager) => measured(name, manager.on, () => run(manager)))),
      check: (name, run) => test(name, () => withPage(run)),
    });
  });
}

/** Records the effort of a task. */
export async function measured(task: string, { effort }: ConsolePage, run: () => Promise<void>) {
  const before = { ...effort };
  const startedAt = performance.now();
  await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const clicks = effort.clicks - before.clicks;
  const fields = effort.fields - before.fields;
  const line = JSON.stringify({ task, clicks, fields, seconds });
  appendFileSync(join(published('TEST_SERVERS_FOLDER'), EFFORTS), `${line}\n`);
}
