import { silent } from '../../../dev/progress';
import { pinnedImages, withoutDigests } from '../../../verify/compose/images/stand-ins';
import { hasFailed, playAll, resultTable, Skip, type Step } from '../../../verify/compose/steps';

test('goes on after a failed step, skips the steps that need it, and reports each by name', async () => {
  const steps: Step<null>[] = [
    { name: 'build', play: () => Promise.resolve('took a while') },
    { name: 'call', needs: ['build'], play: () => Promise.reject(new Error('nobody answered')) },
    { name: 'captions', needs: ['call'], play: () => Promise.resolve('closed') },
    { name: 'bridge', play: () => Promise.reject(new Skip('there is none')) },
    { name: 'backup', needs: ['build'], play: () => Promise.resolve('1 MB') },
  ];
  const signal = new AbortController().signal;
  const results = await playAll(steps, null, { onProgress: silent, signal });
  expect(results.map(({ step, state, detail }) => `${step} ${state}: ${detail}`)).toEqual([
    'build works: took a while',
    'call failed: nobody answered',
    'captions skipped: needs "call"',
    'bridge skipped: there is none',
    'backup works: 1 MB',
  ]);
  expect(hasFailed(results)).toBe(true);
  const table = resultTable(results);
  for (const { step } of results) expect(table).toContain(step);
});

test('knows the images that need a stand-in, and takes the digests out of a copy', () => {
  const digest = `@sha256:${'0'.repeat(64)}`;
  const compose = `image: postgres:18.4${digest}\nimage: own:\${VERSION:-local}\n`;
  const dockerfile = `FROM node:22-slim${digest} AS build\nFROM node:22-slim${digest}\n`;
  expect(pinnedImages([compose, dockerfile])).toEqual(['postgres:18.4', 'node:22-slim']);
  expect(withoutDigests(dockerfile)).toBe('FROM node:22-slim AS build\nFROM node:22-slim\n');
});
