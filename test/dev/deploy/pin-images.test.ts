/** The command that pins images, with a stand-in for Docker in front of the path: it answers what a registry would. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readCompose, root } from './compose-file';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pin-images-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Of each tag a digest of its own; `answer` is what the shell runs for one, with the tag as `$4`. */
function withDocker(
  args: string[],
  answer = `printf 'sha256:%s\\n' "$(printf %s "$4" | sha256sum | cut -c1-64)"`,
): { status: number | null; out: string } {
  const docker = join(folder, 'docker');
  writeFileSync(docker, `#!/bin/sh\n[ "$1 $2 $3" = 'buildx imagetools inspect' ] || exit 9\n${answer}\n`);
  chmodSync(docker, 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { status, stdout } = spawnSync('sh', ['deploy/pin-images.sh', ...args], { cwd: root, env });
  return { status, out: stdout.toString() };
}

const foreign = Object.entries(readCompose('docker-compose.yml').services).filter(([, { build }]) => !build);

test('every image that is not built here is pinned to its tag and the digest of the registry', () => {
  const { status, out } = withDocker([]);
  expect(status).toBe(0);
  const pinned = parse(out).services as Record<string, { image: string }>;
  expect(Object.keys(pinned).sort()).toEqual(foreign.map(([name]) => name).sort());
  expect(foreign.length).toBeGreaterThan(5);
  for (const [name, { image }] of foreign)
    expect(pinned[name]?.image).toMatch(new RegExp(`^${image}@sha256:[0-9a-f]{64}$`));
});

test.each([
  ['no digest', 'echo latest'],
  ['a digest that is too short', 'echo sha256:abc'],
  ['an error', 'exit 1'],
])('a registry that answers %s pins nothing', (_what, answer) => {
  const { status, out } = withDocker([], answer);
  expect([status, out]).toEqual([expect.any(Number), '']);
  expect(status).not.toBe(0);
});

test('the check passes for what was pinned, and names the service whose tag has moved', () => {
  const file = join(folder, 'pinned.yml');
  writeFileSync(file, withDocker([]).out);
  expect(withDocker(['--check', file])).toEqual({ status: 0, out: '' });
  const moved = `case "$4" in redis:*) printf 'sha256:%064d\\n' 7;; *) printf 'sha256:%s\\n' "$(printf %s "$4" | sha256sum | cut -c1-64)";; esac`;
  const { status, out } = withDocker(['--check', file], moved);
  expect(status).toBe(1);
  expect(out).toMatch(/^redis: pinned is redis:.*@sha256:[0-9a-f]{64}, the registry has .*0007\n$/);
});

test('the check names every service of a file that pins none', () => {
  const file = join(folder, 'pinned.yml');
  writeFileSync(file, 'services:\n');
  const { status, out } = withDocker(['--check', file]);
  expect([status, out.trim().split('\n').length]).toEqual([1, foreign.length]);
});
