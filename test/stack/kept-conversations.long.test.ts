import type { Browser, Page } from 'playwright-core';
import { startModelStandIn, type ModelStandIn } from '../../dev/model-stand-in/server';
import { describeWith } from '../servers/availability';
import { openBrowser } from './support/browser';
import { eventually } from './support/eventually';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const MODEL = 'desk';
const RUN_WITHIN_MS = 60_000;
const OVER_WITHIN_MS = 30_000;
const CLOSE_WITHIN_MS = 60_000;

const variables = { name: 'Asha', city: 'Pune' };
const GREETED = {
  title: 'A day for the check-up',
  variables,
  turns: [
    { expect: { contains: ['Namaste Asha', 'in Pune'] } },
    { user: 'Which day is free?', expect: { contains: ['tuesday'], max_words: 3, ends: false } },
  ],
};
const REFUSED = {
  title: 'Closed on Sunday',
  variables,
  turns: [
    { user: 'Are you open on Sunday?', expect: { contains: ['closed'], not_contains: ['open'] } },
    { user: 'Goodbye', expect: { ends: true } },
  ],
};

jest.setTimeout(180_000);

describeWith('livekit', 'saved conversations of an agent', () => {
  describeWith('chromium', 'on its page in the console', () => {
    let platform: Platform;
    let models: ModelStandIn;
    let browser: Browser;
    let organization: Organization;
    let page: Page;

    beforeAll(async () => {
      models = await startModelStandIn();
      const environment = { OPENAI_BASE_URL: models.url, AGENT_LLM: `openai/${MODEL}` };
      platform = await Platform.open({ livekit: true, silenceMs: 60_000, environment });
      browser = await openBrowser();
    }, START_WITHIN_MS);
    afterAll(async () => {
      await browser.close();
      await platform.close();
      await models.close();
    }, CLOSE_WITHIN_MS);

    beforeEach(async () => {
      organization = await platform.newOrganization(1);
      await organization.put(`/api/agent/${organization.agentId}/conversations`, {
        conversations: [GREETED, REFUSED],
      });
      page = await (await browser.newContext()).newPage();
      await page.goto(
        `${platform.stack.apiUrl}/console/agents/${organization.agentId}?section=conversations`,
      );
      await page.getByLabel('API key').fill(organization.key);
      await page.getByRole('button', { name: 'Sign in' }).click();
    });
    afterEach(() => page.context().close());

    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const kept = ({ title }: { title: string }) => page.getByRole('listitem').filter({ hasText: title });
    const until = (of: { title: string }, verdict: string) =>
      kept(of)
        .getByRole('status')
        .filter({ hasText: verdict })
        .waitFor({ timeout: RUN_WITHIN_MS })
        .catch(async (cause: unknown) => {
          throw new Error(`the page says: ${await page.getByRole('main').innerText()}`, { cause });
        });
    const linesOf = async (of: { title: string }) =>
      (await kept(of).locator('.line').allInnerTexts()).map((line) => line.trim().replace(/\s+/g, ' '));
    const calls = async (): Promise<any[]> => (await organization.get('/api/call-history')).body.data;
    const untilOver = () =>
      eventually(OVER_WITHIN_MS, async () => {
        const all = await calls();
        expect(all.every(({ End_time }) => End_time !== null)).toBe(true);
        return all;
      });

    test("runs saved conversations one after another, and shows each turn's words and unmet expectations", async () => {
      models.script(MODEL, [
        { text: 'On Tuesday.' },
        { text: 'Yes, we are open.' },
        { toolCalls: [{ name: 'end_call', arguments: {} }] },
        { text: 'Goodbye.' },
      ]);
      await press('Run all');
      await until(GREETED, 'Passed');
      await until(REFUSED, 'Failed');
      expect(await linesOf(GREETED)).toEqual([
        'Agent Namaste Asha, your check-up in Pune is due.',
        'Person Which day is free?',
        'Agent On Tuesday.',
      ]);
      expect((await linesOf(REFUSED)).slice(0, 4)).toEqual([
        'Person Are you open on Sunday?',
        'Agent Yes, we are open.',
        'Expected to say "closed"',
        'Expected not to say "open"',
      ]);
      // The turn also expects the call to end, which it did, so there is no third line.
      expect((await linesOf(REFUSED)).filter((line) => line.startsWith('Expected'))).toHaveLength(2);
      const [second, first] = await untilOver();
      expect([first.call_status, second.call_status]).toEqual(['User disconnected', 'completed']);
      expect([first.from_number, second.from_number]).toEqual(['web-user', 'web-user']);
    });

    test('stops a run, marks the current and the next conversation as not run, and frees the line', async () => {
      models.script(MODEL, [{ text: 'Never.', delayMs: 600_000 }]);
      await press('Run all');
      await kept(GREETED).getByText('Namaste Asha').waitFor({ timeout: RUN_WITHIN_MS });
      await press('Stop');
      await until(GREETED, 'Not run');
      await until(REFUSED, 'Not run');
      const all = await untilOver();
      expect(all.map(({ call_status: status }) => status)).toEqual(['User disconnected']);
      await eventually(OVER_WITHIN_MS, async () =>
        expect(await platform.db('lines').select('*')).toEqual([]),
      );
    });
  });
});
