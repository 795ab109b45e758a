/** `npm run picture`: records the README's animated picture of the demo's campaign in the console. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { ApiClient } from '../../dev/demo/api-client';
import { CAMPAIGN_NAME, createCampaign } from '../../dev/demo/campaign';
import { contactCsv, demoContacts, freshBlock } from '../../dev/demo/contact-file';
import { startPlatform } from '../../dev/demo/run';
import { styleFor } from '../../dev/demo/progress';
import { ClosingOrder } from '../../dev/stack/closing';
import { consoleLink } from '../../dev/stack/user-stack';
import { repositoryRoot } from '../../dev/stack/repository';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { findChromium } from '../../dev/toolchain/media-tools';
import { errorText } from '../../dev/error-text';

const FILE = join(repositoryRoot(), 'docs', 'console.webp');
const SIZE = { width: 1120, height: 700 };
const FRAMES = 40;
const BETWEEN_FRAMES_MS = 700;
/** Shorter than `BETWEEN_FRAMES_MS`, so the picture plays faster than real time. */
const SHOWN_FOR_MS = 300;
/** Largest file that GitHub renders without a click. */
const MAX_BYTES = 2 * 1024 * 1024;

async function picture(): Promise<void> {
  const closing = new ClosingOrder();
  try {
    const { env: environment, stdout: out, stderr: err } = process;
    const stopping = new AbortController();
    const style = styleFor(out, environment);
    const demo = { environment, exit: true, out, err, style, stopping, onStayUp: () => undefined };
    const { stack, receiver, organization } = await startPlatform(demo, closing);
    const { path: executablePath } = await findChromium({
      configuredPath: environment.CHROMIUM_PATH,
      environment,
      cacheFolder: cacheFolder(environment),
      onProgress: () => undefined,
    });
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    closing.add('the browser', () => browser.close());
    const page = await browser.newPage({ viewport: SIZE, timezoneId: 'Asia/Kolkata' });
    const api = new ApiClient({ baseUrl: stack.apiUrl, key: organization.key, signal: stopping.signal });
    const csv = contactCsv(demoContacts(freshBlock(new Set())));
    await page.goto(await consoleLink(stack, { organizationId: organization.id, by: 'npm run picture' }));
    await createCampaign(api, { csv, webhookUrl: receiver.url, nowMs: Date.now() });
    await writePicture(await framesOf(page));
  } finally {
    await closing.close();
  }
}

async function framesOf(page: Page): Promise<Buffer[]> {
  await page.getByRole('link', { name: CAMPAIGN_NAME }).click();
  await page.getByText('Live updates').waitFor();
  const frames: Buffer[] = [];
  while (frames.length < FRAMES) {
    frames.push(await page.screenshot());
    await sleep(BETWEEN_FRAMES_MS);
  }
  return frames;
}

async function writePicture(frames: Buffer[]): Promise<void> {
  const delay = frames.map((_frame, index) => (index === frames.length - 1 ? 2_000 : SHOWN_FOR_MS));
  const animated = await sharp(frames, { join: { animated: true } })
    .webp({ quality: 60, effort: 4, loop: 0, delay })
    .toBuffer();
  if (animated.length > MAX_BYTES) throw new Error(`the picture has ${animated.length} bytes`);
  await writeFile(FILE, animated);
  console.log(`${FILE}: ${frames.length} frames, ${Math.ceil(animated.length / 1024)} KiB`);
}

picture().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(errorText(error));
    process.exit(1);
  },
);
