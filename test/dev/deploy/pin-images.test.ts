/** Runs the command that pins images on a copy of the files. A fake `docker` on PATH responds like a registry. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './compose-file';

const FILES = [
  'docker-compose.yml',
  'deploy/platform.Dockerfile',
  'deploy/agent.Dockerfile',
  'deploy/local-models.Dockerfile',
];
const DIGEST = /@sha256:[0-9a-f]{64}/g;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pin-images-'));
  mkdirSync(join(folder, 'deploy'));
  for (const file of [...FILES, 'deploy/pin-images.sh']) cpSync(join(root, file), join(folder, file));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Gives each tag a different digest. `answer` is the shell code that responds for one tag, which is `$4`. */
function withDocker(
  args: string[],
  answer = `printf 'sha256:%s\\n' "$(printf %s "$4" | sha256sum | cut -c1-64)"`,
): { status: number | null; out: string } {
  const docker = join(folder, 'docker');
  writeFileSync(docker, `#!/bin/sh\n[ "$1 $2 $3" = 'buildx imagetools inspect' ] || exit 9\n${answer}\n`);
  chmodSync(docker, 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { status, stdout } = spawnSync('sh', [join(folder, 'deploy/pin-images.sh'), ...args], { env });
  return { status, out: stdout.toString() };
}

const texts = (from = folder): string[] => FILES.map((file) => readFileSync(join(from, file), 'utf8'));
const unpinned = (): string[] => texts().map((text) => text.replace(DIGEST, ''));

/** Returns the pinned digests in the files by tag. */
const pins = (): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  const images = texts().flatMap((text) => [...text.matchAll(/^(?: +image: |FROM )([^ \n$]+)(?: |$)/gm)]);
  for (const [, image = ''] of images) {
    // A name without a tag is a build stage rather than an image from a registry.
    if (!image.includes(':')) continue;
    const [tag = '', digest = ''] = image.split('@');
    found.set(tag, (found.get(tag) ?? new Set()).add(digest));
  }
  return found;
};

test('pins every external image by its own digest', () => {
  const found = pins();
  expect(found.size).toBeGreaterThan(7);
  for (const [tag, digests] of found)
    expect([tag, [...digests]]).toEqual([tag, [expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]]);
  expect(new Set([...found.values()].flatMap((each) => [...each])).size).toBe(found.size);
});

test.each(['as they are', 'without a digest'])(
  'writes the registry’s digests into files %s and changes nothing else',
  (state) => {
    const before = unpinned();
    if (state === 'without a digest')
      FILES.forEach((file, index) => writeFileSync(join(folder, file), before[index] ?? ''));
    expect(withDocker(['--check']).status).toBe(1);
    expect(withDocker([])).toEqual({ status: 0, out: '' });
    expect(unpinned()).toEqual(before);
    expect(withDocker(['--check'])).toEqual({ status: 0, out: '' });
  },
);

test.each([
  ['no digest', 'echo latest'],
  ['a digest that is too short', 'echo sha256:abc'],
  ['an error', 'exit 1'],
  ['an error for one tag', `case "$4" in redis:*) exit 1;; *) printf 'sha256:%064d\\n' 7;; esac`],
])('changes no pinned image and fails the check if the registry responds with %s', (_what, answer) => {
  expect(withDocker([], answer).status).not.toBe(0);
  expect(texts()).toEqual(texts(root));
  expect(withDocker(['--check'], answer).status).not.toBe(0);
});

test('reports the image whose tag has moved', () => {
  withDocker([]);
  const moved = `case "$4" in redis:*) printf 'sha256:%064d\\n' 7;; *) printf 'sha256:%s\\n' "$(printf %s "$4" | sha256sum | cut -c1-64)";; esac`;
  const { status, out } = withDocker(['--check'], moved);
  expect(status).toBe(1);
  expect(out).toMatch(/^pinned is redis:\S+@sha256:[0-9a-f]{64}, the registry has redis:\S+@sha256:0+7\n$/);
});
