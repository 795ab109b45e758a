/** Headless Chromium with a fake microphone that beeps. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { published } from '../../servers/published';

const FLAGS = [
  // Chromium's sandbox doesn't work as root.
  '--no-sandbox',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--disable-background-networking',
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: published('TEST_CHROMIUM'), args: FLAGS });

/** Uses the console's page for trying an agent as a user would. */
export class TryPage {
  /** Violations of the content security policy, and script errors. */
  readonly faults: string[] = [];

  private constructor(private readonly page: Page) {
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, apiUrl: string): Promise<TryPage> {
    const context = await browser.newContext({ permissions: ['microphone'] });
    const opened = new TryPage(await context.newPage());
    await opened.page.goto(`${apiUrl}/console/try`);
    return opened;
  }

  /** Denies the page's request for the microphone. */
  async refuseMicrophone(): Promise<void> {
    await this.page.evaluate(() => {
      const { mediaDevices } = (globalThis as any).navigator;
      mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    });
  }

  /** Responds like a platform without a media server. */
  async withoutMediaServer(): Promise<void> {
    const detail = { code: 'REALTIME_NOT_CONFIGURED', message: '' };
    await this.page.route('**/api/trigger-call/', (route) =>
      route.fulfill({ status: 503, json: { detail } }),
    );
  }

  async enterKey(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  async choose(agent: string): Promise<void> {
    await this.page.getByLabel('Agent', { exact: true }).selectOption({ label: agent });
  }

  press(name: 'Start talking' | 'Type instead' | 'Stop' | 'Mute'): Promise<void> {
    return this.page.getByRole('button', { name }).click();
  }

  follow(name: string): Promise<void> {
    return this.page.getByRole('link', { name, exact: true }).click();
  }

  /** Waits until the status shows the text. */
  async untilStatus(text: string, withinMs: number): Promise<void> {
    await this.page
      .locator('.try')
      .getByRole('status')
      .filter({ hasText: text })
      .waitFor({ timeout: withinMs })
      .catch(async (cause: unknown) => {
        throw new Error(`the page says: ${await this.status()}`, { cause });
      });
  }

  async problem(): Promise<string | null> {
    await this.page.getByRole('alert').waitFor();
    return this.page.getByRole('alert').textContent();
  }

  async type(text: string): Promise<void> {
    await this.page.getByLabel('Message').fill(text);
    await this.page.getByRole('button', { name: 'Send' }).click();
  }

  /** Waits until the record of the conversation contains this line from the user. */
  async untilRecorded(text: string): Promise<void> {
    const recorded = this.page.getByRole('log').locator('li[aria-busy=false] .user');
    await recorded.filter({ hasText: text }).waitFor();
  }

  /** Returns the page's note about missing abilities. */
  async lacking(): Promise<string | null> {
    await this.page.getByRole('note').waitFor();
    return this.page.getByRole('note').textContent();
  }

  /** Returns the agent's first line. */
  async agentsWords(): Promise<string | null> {
    const line = this.page.getByRole('log').locator('.agent > :last-child').first();
    await line.waitFor();
    return line.textContent();
  }

  /** In percent. */
  async microphoneLevel(): Promise<number> {
    return Number(await this.page.getByRole('meter').getAttribute('aria-valuenow'));
  }

  /** Navigates away without ending the session first. */
  leave(): Promise<unknown> {
    return this.page.goto('about:blank');
  }

  async status(): Promise<string> {
    const texts = this.page.locator('.try').locator('[role=status], [role=alert]');
    return (await texts.allTextContents()).join(' ');
  }
}
