/** A caller in Chromium: the page as a person has it, whose microphone is what the caller says, and whose sound is kept. */
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const FLAGS = [
  // Root may not use the sandbox.
  '--no-sandbox',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-networking',
];
const LOOK_EVERY_MS = 100;
/** Longer than the pause between two sentences that are synthesised one after the other on a busy machine. */
const TURN_IS_OVER_MS = 2_500;

interface Heard {
  firstAtMs: number | null;
  lastAtMs: number | null;
  nowMs: number;
}

/** What `in-page.js` leaves in the page. */
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

  /** The one click. Resolves once the page says that the conversation is on. */
  async startTalking(limitMs: number): Promise<void> {
    await this.page.getByRole('button', { name: 'Start talking' }).click();
    await this.page
      .getByRole('status')
      .filter({ hasText: 'You are talking to' })
      .waitFor({ timeout: limitMs });
  }

  /** Says 16-bit samples at 24 kHz; resolves with the instant of the last audible one. */
  say(samples: Buffer): Promise<number> {
    return this.page.evaluate(
      (base64) => (globalThis as unknown as InPage).caller.say(base64),
      samples.toString('base64'),
    );
  }

  /** Waits until the agent has spoken and is quiet again; the instant at which it was first heard since the caller spoke, null for never. */
  async untilAnswered(limitMs: number): Promise<number | null> {
    const until = Date.now() + limitMs;
    while (Date.now() < until) {
      const { firstAtMs, lastAtMs, nowMs } = await this.heard();
      if (firstAtMs !== null && lastAtMs !== null && nowMs - lastAtMs > TURN_IS_OVER_MS) return firstAtMs;
      await delay(LOOK_EVERY_MS);
    }
    return (await this.heard()).firstAtMs;
  }

  /** 16-bit samples at 48 kHz, of what was heard since the caller spoke. */
  async recording(): Promise<Buffer> {
    return Buffer.from(
      await this.page.evaluate(() => (globalThis as unknown as InPage).caller.recording()),
      'base64',
    );
  }

  /** Which models the agent says that it uses; null where it says nothing. */
  models(): Promise<string | null> {
    return this.page.locator('#models').textContent();
  }

  /** Resolves once the page says that it is over. */
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
