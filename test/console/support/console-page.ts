/** The console as a person uses it: by what they read and press. */
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A console to open, and who opens it. */
export interface ConsolePlace {
  browser: Browser;
  api: { url: string; client: { key: string } };
}

export interface Looks {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** Those whose verdict the dark colours may change: the rest of the page is the same. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Of axe. */
interface Found {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** What a person did. */
export interface Effort {
  /** With the pointer, or by Enter. */
  clicks: number;
  /** Texts, choices and files. */
  fields: number;
}

export class ConsolePage {
  readonly effort: Effort = { clicks: 0, fields: 0 };
  /** What the policy forbade, and what the script failed in. */
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

  static async open({ browser, api }: ConsolePlace, { colorScheme = 'light', width = 1280 }: Looks = {}) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      timezoneId: 'Asia/Kolkata',
      acceptDownloads: true,
      permissions: ['microphone'],
      // What still moves has no contrast yet, and no place.
      reducedMotion: 'reduce',
    });
    const opened = new ConsolePage(context, await context.newPage(), api.url, colorScheme === 'dark');
    await opened.countEffort();
    return opened;
  }

  static async signedIn(rig: ConsolePlace, looks?: Looks): Promise<ConsolePage> {
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

  /** From a link to the page of that heading. */
  async reach(name: string): Promise<void> {
    await this.follow(name);
    await this.heading(name);
  }

  /** The deed of a dialog that asks first. */
  async confirm(action: string): Promise<void> {
    await this.press(action);
    await this.answer(action);
  }

  /** A dialog that asks first is left without the deed. */
  async decline(action: string): Promise<void> {
    await this.press(action);
    await this.answer('Back');
  }

  /** To the dialog that is open. */
  async answer(name: string): Promise<void> {
    const dialog = this.page.getByRole('alertdialog');
    await dialog.getByRole('button', { name }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Until the page says so. */
  reads(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  /** What axe finds once nothing loads. */
  async axe(): Promise<string[]> {
    await this.page.locator('.loading').first().waitFor({ state: 'detached' });
    return this.axeAtOnce();
  }

  async axeAtOnce(): Promise<string[]> {
    // In the page's own world scripts of others are forbidden; this one is evaluated by the browser's tools.
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis"))) await this.page.evaluate(axe.source);
    const options = { resultTypes: ['violations'], ...(this.isDark && { runOnly: COLOUR_RULES }) };
    const { violations } = await this.page.evaluate<Found>(`axe.run(${JSON.stringify(options)})`);
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

  /** Until what has the focus is called so: it moves after the page shows what moves it. */
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
      // Enter on a link or a button is also a click, of no pointer.
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
