/** Defines suites in which a campaign manager uses the console in a browser. */
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
  /** A signed-in page that shows the list of campaigns. */
  on: ConsolePage;
}

type ManagerTest = (title: string, run: (manager: Manager) => Promise<void>) => void;

interface ManagerTests {
  /**
   * A test that starts at the list of campaigns and uses only what the pages show. The end of the run lists its clicks, fields and seconds.
   */
  task: ManagerTest;
  check: ManagerTest;
}

/** `report-tasks.js` reads the recorded tasks from this file. */
const EFFORTS = 'console-tasks.jsonl';

/**
 * Defines a suite for one organization, with a new browser context per test. Tests fail on script errors and on violations of the content
 * security policy.
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

/** Runs a task and records its clicks, fields and seconds. */
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
