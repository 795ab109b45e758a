/** Opens the console in Chromium, with the real API and a real database. */
import { chromium, type Browser } from 'playwright-core';
import { openTestApi, type TestApi, type TestApiOptions } from '../../api/support/test-api';
import { published } from '../../servers/published';

export type ConsoleSettings = TestApiOptions['settings'];

export interface ConsoleRig {
  api: TestApi;
  browser: Browser;
  close(): Promise<void>;
}

/** Chromium's sandbox doesn't work as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--autoplay-policy=no-user-gesture-required',
];

export async function openConsole(settings: ConsoleSettings = {}): Promise<ConsoleRig> {
  const api = await openTestApi({ captions: {}, settings });
  const browser = await chromium.launch({ executablePath: published('TEST_CHROMIUM'), args: FLAGS });
  return {
    api,
    browser,
    async close() {
      await browser.close();
      await api.close();
    },
  };
}
