/** A call's page in the console, on which a manager listens in. */
import type { Browser, Page } from 'playwright-core';
import { untilHeard } from './heard';

export class ListenerPage {
  /** Violations of the content security policy, and script errors. */
  readonly faults: string[] = [];

  private constructor(private readonly page: Page) {
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, apiUrl: string, key: string, callId: string): Promise<ListenerPage> {
    const context = await browser.newContext();
    const opened = new ListenerPage(await context.newPage());
    await opened.page.goto(`${apiUrl}/console/calls/${callId}`);
    await opened.page.getByLabel('API key').fill(key);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    return opened;
  }

  /** Listens in until a sound is heard. */
  async listen(): Promise<void> {
    await this.page.getByRole('button', { name: 'Listen in' }).click();
    await this.page.getByText('You can hear the call. Neither side can hear you.').waitFor();
    await untilHeard(this.page.mainFrame(), '.listen audio');
  }

  async stop(): Promise<void> {
    await this.page.getByRole('button', { name: 'Stop listening' }).click();
    await this.page.getByRole('button', { name: 'Listen in' }).waitFor();
  }

  /** Waits until the page shows that the call has ended. */
  untilOver(): Promise<void> {
    return this.page.getByText('Caller hung up').first().waitFor();
  }
}
