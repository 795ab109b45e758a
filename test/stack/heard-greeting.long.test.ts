/** Tests the console with a whole platform: a room, an agent, and a model server for the agent's voice. */
import type { Browser } from 'playwright-core';
import { startModelStandIn, type ModelStandIn } from '../../dev/model-stand-in/server';
import { describeWith } from '../servers/availability';
import { openBrowser } from './support/browser';
import { untilHeard } from './support/heard';
import { Platform, START_WITHIN_MS } from './support/platform';
import { ConsolePage } from '../console/support/console-page';
import { measured } from '../console/support/describe-manager';

const VOICE = 'voice';
/** Takes six seconds to speak, during which the test listens to the page. */
const GREETING =
  'Good morning from the clinic in Pune, which calls you as you asked us to about the day of your check-up.';
const AGENT_COMES_WITHIN_MS = 60_000;
const CLOSE_WITHIN_MS = 60_000;

jest.setTimeout(180_000);

describeWith('livekit', 'a manager of an agent with a voice', () => {
  describeWith('chromium', 'in the console', () => {
    let platform: Platform;
    let models: ModelStandIn;
    let browser: Browser;
    beforeAll(async () => {
      models = await startModelStandIn();
      const environment = { OPENAI_BASE_URL: models.url, AGENT_TTS: `openai/${VOICE}` };
      platform = await Platform.open({ livekit: true, silenceMs: 60_000, environment });
      browser = await openBrowser();
    }, START_WITHIN_MS);
    afterAll(async () => {
      await browser.close();
      await platform.close();
      await models.close();
    }, CLOSE_WITHIN_MS);

    const spoken = (): string =>
      models
        .requests(VOICE)
        .map(({ body }) => String(body.input))
        .join(' ');

    const task = 'changes a greeting and hears it';
    test(task, async () => {
      const organization = await platform.newOrganization();
      const api = { url: platform.stack.apiUrl, organization: { key: organization.key } };
      const on = await ConsolePage.signedIn({ browser, api });
      await on.heading('Campaigns');
      await measured(task, on, async () => {
        await on.reach('Agents');
        await on.follow('Asha');
        await on.page.getByLabel('Agent message').fill(GREETING);
        await on.press('Save');
        await on.reads('Saved. New calls will use it.');
        await on.follow('Try it');
        await on.press('Start talking');
        await on.page.getByText('You are talking to Asha.').waitFor({ timeout: AGENT_COMES_WITHIN_MS });
        await untilHeard(on.page.mainFrame(), '.try audio');
        await on.page.getByRole('log').getByText(GREETING).waitFor();
        await on.press('Stop');
        await on.reads('You ended the conversation.');
      });
      expect(spoken()).toBe(GREETING);
      expect(on.faults).toEqual([]);
      await on.close();
    });
  });
});
