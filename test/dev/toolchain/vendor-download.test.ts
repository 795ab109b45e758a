import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { archiveDownload } from '../../../dev/toolchain/vendor-download';
import { temporaryFolder } from '../temporary-folder';

const program = randomBytes(3_000_000);
let folder: string;
let server: Server;
/** The number of bytes after which the vendor cuts each of the next responses. Later responses are complete. */
let cuts: number[];
let requests: number;

beforeEach(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'gadget'), program);
  execFileSync('tar', ['-czf', join(folder, 'made.tar.gz'), '-C', folder, 'gadget']);
  const archive = readFileSync(join(folder, 'made.tar.gz'));
  cuts = [];
  requests = 0;
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'Content-Length': archive.length });
    const cut = cuts.shift();
    if (cut === undefined) response.end(archive);
    else response.write(archive.subarray(0, cut), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function download(shown: string[] = []): Promise<Buffer> {
  const into = join(folder, 'into');
  mkdirSync(into);
  const archiveUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive.tar.gz`;
  const to = { folder: into, fileName: 'gadget', onProgress: (one: string) => shown.push(one) };
  await archiveDownload({ archiveUrl, fileToExtract: 'gadget' }, to);
  return readFileSync(join(into, 'gadget'));
}

test('repeats a download whose connection was cut, and shows its progress', async () => {
  cuts = [1_000_000, 500_000];
  const shown: string[] = [];
  expect((await download(shown)).equals(program)).toBe(true);
  expect([requests, shown.at(-1)]).toEqual([3, '3.0 of 3.0 MB']);
});

test('fails after three incomplete downloads', async () => {
  cuts = [1_000, 1_000, 1_000];
  await expect(download()).rejects.toThrow();
  expect(requests).toBe(3);
});
