/** Drives the console like a user, through visible text and controls. */
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A running console and the API key to sign in with. */
export interface ConsoleAddress {
  browser: Browser;
  api: { url: string; organization: { key: string } };
}

export interface Appearance {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** Rules whose result can differ in dark mode. All other rules give the same result in both modes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The part of axe's result that the tests read. */
interface Found {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Counts a user's actions. */
export interface Effort {
  /** Clicks with the pointer or the Enter key. */
  clicks: number;
  /** Filled text fields, chosen options and selected files. */
  fields: number;
}

export class ConsolePage {
  readonly effort: Effort = { clicks: 0, fields: 0 };
  /** Violations of the content security policy, and script errors. */
  readonly faults: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
    private readonly isDark: boolean,
  ) {
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text());
    });
  }

  static async open(
    { browser, api }: ConsoleAddress,
    { colorScheme = 'light', width = 1280 }: Appearance = {},
  ) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      timezoneId: 'Asia/Kolkata',
      acceptDownloads: true,
      permissions: ['microphone'],
      // Animations would change the contrast and position of elements while the tests check them.
      reducedMotion: 'reduce',
    });
    const opened = new ConsolePage(context, await context.newPage(), api.url, colorScheme === 'dark');
    await opened.countEffort();
    return opened;
  }

  static async signedIn(rig: ConsoleAddress, appearance?: Appearance): Promise<ConsolePage> {
    const opened = await ConsolePage.open(rig, appearance);
    await opened.goto('/');
    await opened.signIn(rig.api.organization.key);
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

  /** Follows a link to the page with that heading. */
  async reach(name: string): Promise<void> {
    await this.follow(name);
    await this.heading(name);
  }

  /** Presses a button and confirms its dialog. */
  async confirm(action: string): Promise<void> {
    await this.press(action);
    await this.answer(action);
  }

  /** Presses a button and closes its dialog without confirming. */
  async decline(action: string): Promise<void> {
    await this.press(action);
    await this.answer('Back');
  }

  /** Presses a button of the open dialog and waits until it is closed. */
  async answer(name: string): Promise<void> {
    const dialog = this.page.getByRole('alertdialog');
    await dialog.getByRole('button', { name }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Waits until the page shows the text. */
  reads(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  /** Waits until nothing is loading, then returns axe's violations. */
  async axe(): Promise<string[]> {
    await this.page.locator('.loading').first().waitFor({ state: 'detached' });
    return this.axeAtOnce();
  }

  async axeAtOnce(): Promise<string[]> {
    // The page's content security policy would block axe as a script, so Playwright evaluates it in the page.
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis"))) await this.page.evaluate(axe.source);
    const options = { resultTypes: ['violations'], ...(this.isDark && { runOnly: COLOUR_RULES }) };
    const { violations } = await this.page.evaluate<Found>(`axe.run(${JSON.stringify(options)})`);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** Returns how many bytes were transferred for the page's own files. */
  loadedBytes(): Promise<number> {
    return this.page.evaluate(() =>
      (globalThis as any).performance
        .getEntries()
        .filter(({ name }: { name: string }) => name.includes('/console/'))
        .filter(({ name }: { name: string }) => !name.includes('/api/'))
        .reduce((sum: number, { transferSize }: { transferSize?: number }) => sum + (transferSize ?? 0), 0),
    );
  }

  /** Returns how many pixels wider the page is than its window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const { documentElement: root } = (globalThis as any).document;
      return root.scrollWidth - root.clientWidth;
    });
  }

  /** Presses Tab until the focused element has this name. */
  async tabTo(name: string): Promise<void> {
    const passed: string[] = [];
    while (passed.length < 60) {
      await this.page.keyboard.press('Tab');
      const focused = await this.focused();
      if (focused === name) return;
      passed.push(focused);
    }
    throw new Error(`the focus never reached ${name}: ${passed.join(', ')}`);
  }

  /** Waits until the focused element has this name. The focus moves only after the page has changed. */
  async untilFocused(name: string): Promise<void> {
    await this.page
      .waitForFunction((name) => (globalThis as any).document.activeElement?.textContent === name, name)
      .catch(async (cause: unknown) => {
        throw new Error(`the focus is on: ${await this.focused()}`, { cause });
      });
  }

  focused(): Promise<string> {
    return this.page.evaluate(() => (globalThis as any).document.activeElement?.textContent ?? '');
  }

  private async countEffort(): Promise<void> {
    await this.context.exposeFunction('reportEffort', (kind: keyof Effort) => (this.effort[kind] += 1));
    await this.context.addInitScript(() => {
      const page = globalThis as any;
      let filled: unknown = null;
      const on = (event: string, listener: (event: any) => void): void =>
        page.addEventListener(event, listener, true);
      // Counts pointer clicks only. Pressing Enter also fires a click event, with `detail` 0.
      on('click', ({ detail }) => detail > 0 && page.reportEffort('clicks'));
      on('keydown', ({ key }) => key === 'Enter' && page.reportEffort('clicks'));
      on('input', ({ target }) => {
        if (target !== filled) page.reportEffort('fields');
        filled = target;
      });
    });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
