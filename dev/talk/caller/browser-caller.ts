/** Simulates a caller in Chromium on the page that users see. It plays audio into the microphone and records the page's sound. */
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const FLAGS = [
  // Chromium's sandbox doesn't work as root.
  '--no-sandbox',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-networking',
];
const CHECK_EVERY_MS = 100;
/** Longer than the pause between two sentences that a busy machine synthesises in sequence. */
const TURN_IS_OVER_MS = 2_500;

interface Heard {
  firstAtMs: number | null;
  lastAtMs: number | null;
  nowMs: number;
}

/** The object that `in-page.js` defines in the page. */
interface InPage {
  caller: { say: (base64: string) => Promise<number>; heard: () => Heard; recording: () => string };
}

export class BrowserCaller {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(options: {
    repository: string;
    chromiumPath: string;
    address: string;
  }): Promise<BrowserCaller> {
    const browser = await chromium.launch({ executablePath: options.chromiumPath, args: FLAGS });
    const page = await (await browser.newContext({ permissions: ['microphone'] })).newPage();
    await page.addInitScript({ path: join(options.repository, 'dev', 'talk', 'caller', 'in-page.js') });
    await page.goto(options.address);
    return new BrowserCaller(browser, page);
  }

  /** Clicks the button. Resolves once the page shows that the conversation has begun. */
  async startTalking(limitMs: number): Promise<void> {
    await this.page.getByRole('button', { name: 'Start talking' }).click();
    await this.page
      .getByRole('status')
      .filter({ hasText: 'You are talking to' })
      .waitFor({ timeout: limitMs });
  }

  /** Plays 16-bit samples at 24 kHz. Returns the time of the last audible sample. */
  say(samples: Buffer): Promise<number> {
    return this.page.evaluate(
      (base64) => (globalThis as unknown as InPage).caller.say(base64),
      samples.toString('base64'),
    );
  }

  /**
   * Waits until the agent has spoken and is quiet again. Returns when the agent was first heard after the caller spoke, or null if it
   * stayed silent.
   */
  async untilAnswered(limitMs: number): Promise<number | null> {
    const until = Date.now() + limitMs;
    while (Date.now() < until) {
      const { firstAtMs, lastAtMs, nowMs } = await this.heard();
      if (firstAtMs !== null && lastAtMs !== null && nowMs - lastAtMs > TURN_IS_OVER_MS) return firstAtMs;
      await delay(CHECK_EVERY_MS);
    }
    return (await this.heard()).firstAtMs;
  }

  /** Returns the sound since the caller last spoke, as 16-bit samples at 48 kHz. */
  async recording(): Promise<Buffer> {
    return Buffer.from(
      await this.page.evaluate(() => (globalThis as unknown as InPage).caller.recording()),
      'base64',
    );
  }

  /** Resolves once the page shows that the conversation is over. */
  async stopTalking(limitMs: number): Promise<void> {
    await this.page.getByRole('button', { name: 'Stop' }).click();
    await this.page.getByRole('button', { name: 'Start talking' }).waitFor({ timeout: limitMs });
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  private heard(): Promise<Heard> {
    return this.page.evaluate(() => (globalThis as unknown as InPage).caller.heard());
  }
}
