/** Chromium without a window, whose microphone is a made-up one that beeps. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { published } from '../../servers/published';

const FLAGS = [
  // Root may not use the sandbox.
  '--no-sandbox',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--disable-background-networking',
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: published('TEST_CHROMIUM'), args: FLAGS });

/** The playground as a person uses it. */
export class Playground {
  /** What the browser would not do because of the page's policy, and what its script failed in. */
  readonly faults: string[] = [];

  private constructor(private readonly page: Page) {
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, apiUrl: string): Promise<Playground> {
    const context = await browser.newContext({ permissions: ['microphone'] });
    const playground = new Playground(await context.newPage());
    await playground.page.goto(`${apiUrl}/playground`);
    return playground;
  }

  /** As a person does in the question that the browser asks. */
  async refuseMicrophone(): Promise<void> {
    await this.page.evaluate(() => {
      const { mediaDevices } = (globalThis as any).navigator;
      mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    });
  }

  /** What a server without a media server answers. */
  async withoutMediaServer(): Promise<void> {
    const detail = { code: 'REALTIME_NOT_CONFIGURED', message: '' };
    await this.page.route('**/api/trigger-call/', (route) =>
      route.fulfill({ status: 503, json: { detail } }),
    );
  }

  async enterKey(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Show agents' }).click();
  }

  async choose(agent: string): Promise<void> {
    await this.page.getByLabel('Agent', { exact: true }).selectOption({ label: agent });
  }

  press(name: 'Start talking' | 'Type instead' | 'Stop' | 'Mute'): Promise<void> {
    return this.page.getByRole('button', { name }).click();
  }

  /** Until the status says so. */
  async untilStatus(text: string, withinMs: number): Promise<void> {
    await this.page
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

  /** Until the record has a line of the person. */
  async untilRecorded(text: string): Promise<void> {
    await this.page.getByRole('log').locator('.user[aria-busy=false]').filter({ hasText: text }).waitFor();
  }

  /** What the page says that the agent lacks. */
  async lacking(): Promise<string | null> {
    await this.page.getByRole('note').waitFor();
    return this.page.getByRole('note').textContent();
  }

  /** The first line that the agent says. */
  async agentsWords(): Promise<string | null> {
    const line = this.page.getByRole('log').locator('.agent p').first();
    await line.waitFor();
    return line.textContent();
  }

  /** Percent. */
  async microphoneLevel(): Promise<number> {
    return Number(await this.page.getByRole('meter').getAttribute('aria-valuenow'));
  }

  /** Without a word to the page. */
  leave(): Promise<unknown> {
    return this.page.goto('about:blank');
  }

  async status(): Promise<string> {
    const said = await this.page.getByRole('status').textContent();
    const alert = await this.page.locator('#problem').textContent();
    return `${said ?? ''} ${alert ?? ''}`.trim();
  }
}
