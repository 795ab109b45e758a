import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { archiveDownload } from '../../../dev/toolchain/vendor-download';
import { temporaryFolder } from '../temporary-folder';

/** A server with one archive. It can cut connections and change the archive. */
class Vendor {
  tag: string | null = '"one"';
  hasRanges = true;
  /** For each of the next responses, the number of bytes after which it is cut. Later responses are complete. */
  cuts: number[] = [];
  readonly ranges: (string | undefined)[] = [];
  private readonly server: Server = createServer((request, response) =>
    this.answer(request.headers, response),
  );

  constructor(public content: Buffer) {}

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/archive.tar.gz`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer({ range, 'if-range': ifRange }: IncomingHttpHeaders, response: ServerResponse): void {
    this.ranges.push(range);
    const asked = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const isPart = this.hasRanges && asked > 0 && ifRange === this.tag;
    const start = isPart ? asked : 0;
    if (start >= this.content.length) return void response.writeHead(416).end();
    response.writeHead(isPart ? 206 : 200, {
      'Content-Length': this.content.length - start,
      ...(this.tag !== null && { ETag: this.tag }),
      ...(isPart && { 'Content-Range': `bytes ${start}-${this.content.length - 1}/${this.content.length}` }),
    });
    const cut = this.cuts.shift();
    if (cut === undefined) return void response.end(this.content.subarray(start));
    response.write(this.content.subarray(start, start + cut), () => response.destroy());
  }
}

let root: string;
let vendor: Vendor;
let archiveUrl: string;
const shown: string[] = [];

/** Returns an archive that contains a program with this content. */
function archiveOf(program: Buffer): Buffer {
  writeFileSync(join(root, 'gadget'), program);
  execFileSync('tar', ['-czf', join(root, 'made.tar.gz'), '-C', root, 'gadget']);
  return readFileSync(join(root, 'made.tar.gz'));
}

const program = randomBytes(3_000_000);

beforeEach(async () => {
  root = temporaryFolder();
  vendor = new Vendor(archiveOf(program));
  archiveUrl = await vendor.open();
  shown.length = 0;
});
afterEach(() => vendor.close());

/** Cuts many requests, because `fetch` retries on its own if a kept-alive connection is cut before the first byte. */
const NO_MORE = Array.from({ length: 20 }, () => 0);

let attempts = 0;
const archive = (): string => join(root, 'gadget.part');

/** Downloads into a new folder, as each search does. Returns the program. */
async function download(): Promise<Buffer> {
  const folder = join(root, `attempt-${(attempts += 1)}`);
  mkdirSync(folder);
  const destination = {
    folder,
    fileName: 'gadget',
    archive: archive(),
    onProgress: (one: string) => shown.push(one),
  };
  await archiveDownload({ archiveUrl, fileToExtract: 'gadget' }, destination);
  return readFileSync(join(folder, 'gadget'));
}

const isWhole = async (): Promise<boolean> => (await download()).equals(program);

test('shows how much of a download has arrived', async () => {
  expect(await isWhole()).toBe(true);
  expect(shown.at(-1)).toBe('3.0 of 3.0 MB');
  expect(new Set(shown.map((one) => one.replace(/^[\d.]+ |, about \d+ s left$/g, '')))).toEqual(
    new Set(['of 3.0 MB']),
  );
  expect(existsSync(archive())).toBe(false);
});

test('resumes a download where its connection was cut', async () => {
  vendor.cuts = [1_000_000, 500_000];
  expect(await isWhole()).toBe(true);
  expect(vendor.ranges).toEqual([undefined, expect.any(String), expect.any(String)]);
  const starts = vendor.ranges.slice(1).map((range) => Number(/\d+/.exec(range ?? '')?.[0]));
  expect(starts[0]).toBeGreaterThan(0);
  expect(starts[1]).toBeGreaterThan(starts[0] ?? 0);
});

test('resumes a failed download of an earlier run', async () => {
  vendor.cuts = [2_000_000, ...NO_MORE];
  await expect(download()).rejects.toThrow();
  const left = readFileSync(archive()).length;
  expect(left).toBeGreaterThan(0);
  vendor.cuts = [];
  vendor.ranges.length = 0;
  expect(await isWhole()).toBe(true);
  expect(vendor.ranges).toEqual([`bytes=${left}-`]);
});

test('gives up a download if the server sends no more data', async () => {
  vendor.cuts = [...NO_MORE];
  await expect(download()).rejects.toThrow();
  expect(vendor.ranges.length).toBeLessThan(5);
});

test.each([
  ['has another file now', () => (vendor.tag = '"two"')],
  ['does not support ranges', () => (vendor.hasRanges = false)],
])('starts the download over if the server %s', async (_what, change) => {
  vendor.cuts = [2_000_000, ...NO_MORE];
  await expect(download()).rejects.toThrow();
  vendor.cuts = [];
  change();
  const other = randomBytes(1_000_000);
  vendor.content = archiveOf(other);
  expect((await download()).equals(other)).toBe(true);
});

test('starts the download over if the server sends no version of the file', async () => {
  vendor.tag = null;
  vendor.cuts = [2_000_000, ...NO_MORE];
  await expect(download()).rejects.toThrow();
  vendor.cuts = [];
  vendor.ranges.length = 0;
  expect(await isWhole()).toBe(true);
  expect(vendor.ranges).toEqual([undefined]);
});

test('starts a download over if an earlier process left a complete file that it did not unpack', async () => {
  writeFileSync(archive(), vendor.content);
  writeFileSync(`${archive()}.json`, JSON.stringify({ url: archiveUrl, version: vendor.tag }));
  expect(await isWhole()).toBe(true);
  expect(vendor.ranges).toEqual([`bytes=${vendor.content.length}-`, undefined]);
});

test('removes an archive that cannot be unpacked', async () => {
  const whole = vendor.content;
  vendor.content = randomBytes(100_000);
  await expect(download()).rejects.toThrow();
  expect([existsSync(archive()), existsSync(`${archive()}.json`)]).toEqual([false, false]);
  vendor.content = whole;
  expect(await isWhole()).toBe(true);
});
