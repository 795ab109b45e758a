/** The console as a person uses it: by what they read and press. */
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import type { ConsoleRig } from './open-console';

export interface Looks {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** Of axe. */
interface Found {
  violations: { id: string; nodes: { html: string }[] }[];
}

export class ConsolePage {
  /** What the policy forbade, and what the script failed in. */
  readonly faults: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text());
    });
  }

  static async open({ browser, api }: ConsoleRig, { colorScheme = 'light', width = 1280 }: Looks = {}) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      timezoneId: 'Asia/Kolkata',
      acceptDownloads: true,
    });
    return new ConsolePage(context, await context.newPage(), api.url);
  }

  static async signedIn(rig: ConsoleRig, looks?: Looks): Promise<ConsolePage> {
    const opened = await ConsolePage.open(rig, looks);
    await opened.goto('/');
    await opened.signIn(rig.api.client.key);
    return opened;
  }

  goto(path: string): Promise<unknown> {
    return this.page.goto(`${this.url}/console${path}`);
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.press('Sign in');
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  follow(name: string): Promise<void> {
    return this.page.getByRole('link', { name, exact: true }).click();
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  /** The deed of a dialog that asks first. */
  async confirm(action: string): Promise<void> {
    await this.press(action);
    await this.page.getByRole('alertdialog').getByRole('button', { name: action }).click();
    await this.page.getByRole('alertdialog').waitFor({ state: 'detached' });
  }

  /** Until the page says so. */
  reads(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  /** What axe finds, by all its rules or by some. */
  async axe(rules?: string[]): Promise<string[]> {
    await this.page.locator('.loading').first().waitFor({ state: 'detached' });
    // In the page's own world scripts of others are forbidden; this one is evaluated by the browser's tools.
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate<Found>(
      `axe.run(${JSON.stringify(rules === undefined ? {} : { runOnly: rules })})`,
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** Of the page's own files, as they came over the wire. */
  loadedBytes(): Promise<number> {
    return this.page.evaluate(() =>
      (globalThis as any).performance
        .getEntries()
        .filter(({ name }: { name: string }) => name.includes('/console/'))
        .filter(({ name }: { name: string }) => !name.includes('/api/'))
        .reduce((sum: number, { transferSize }: { transferSize?: number }) => sum + (transferSize ?? 0), 0),
    );
  }

  /** Pixels that the page is wider than its window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const { documentElement: root } = (globalThis as any).document;
      return root.scrollWidth - root.clientWidth;
    });
  }

  /** Presses Tab until what has the focus is called so. */
  async tabTo(name: string): Promise<void> {
    const passed: string[] = [];
    while (passed.length < 60) {
      await this.page.keyboard.press('Tab');
      const focused = await this.focused();
      if (focused === name) return;
      passed.push(focused);
    }
    throw new Error(`the focus never came to ${name}: ${passed.join(', ')}`);
  }

  focused(): Promise<string> {
    return this.page.evaluate(() => (globalThis as any).document.activeElement?.textContent ?? '');
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
