/** Tests all files that `npm run release` writes, and installs the Python client from them. Needs Python and access to pip's index. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { silent } from '../../../dev/progress';
import { writeArtifacts } from '../../../dev/release/artifacts';
import { versionOf } from '../../../dev/release/readiness';
import { describeWith } from '../../servers/availability';
import { published } from '../../servers/published';

const ROOT = join(__dirname, '../../..');
const run = promisify(execFile);

jest.setTimeout(600_000);

describeWith('python', 'the artifacts of a release', () => {
  let base: string;
  let into: string;
  let table: string;
  const version = versionOf(ROOT);

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'release-test-'));
    into = join(base, 'release');
    const environment = { ...process.env, PYTHON_PATH: published('TEST_PYTHON') };
    const release = { version, notes: '- A change.' };
    table = await writeArtifacts({ root: ROOT, folder: into, release, environment, onProgress: silent });
  }, 600_000);
  afterAll(() => rmSync(base, { recursive: true }));

  test('writes release notes, a bill of materials and packages, each with the checksum in the table', async () => {
    const artifacts = [
      'NOTES.md',
      `voice-agent-platform-${version}.cdx.json`,
      `voice-agent-platform-client-${version}.tgz`,
      `voice_agent_platform_client-${version}-py3-none-any.whl`,
      `voice_agent_platform_client-${version}.tar.gz`,
    ];
    expect(readdirSync(into).sort()).toEqual(['SHA256SUMS', ...artifacts].sort());
    const sums = readFileSync(join(into, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums.map((line) => line.slice(66)).sort()).toEqual([...artifacts].sort());
    for (const line of sums)
      expect(table).toMatch(new RegExp(`^${line.slice(0, 64)} .* ${line.slice(66)}$`, 'm'));
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: into });
  });

  test.each(['whl', 'tar.gz'])(
    'builds a .%s that installs into an empty environment and sends a request',
    async (kind) => {
      const server = await answering({ status: 'success', data: [{ agent_id: 'front-desk' }] });
      try {
        const venv = join(base, `venv-${kind}`);
        const python = join(venv, 'bin/python');
        await run(published('TEST_PYTHON'), ['-m', 'venv', venv]);
        const file = readdirSync(into).find((name) => name.endsWith(`.${kind}`)) ?? '';
        // pip builds an sdist during installation, so it needs the index.
        const builds = kind === 'whl' ? ['--no-index', '--no-deps'] : [];
        await run(python, ['-m', 'pip', 'install', '--quiet', ...builds, join(into, file)]);
        const { port } = server.address() as AddressInfo;
        const program = `
from importlib.metadata import metadata, version
from voice_agent_platform import Client, captions, verify_webhook
client = Client("http://127.0.0.1:${port}", "vap_key")
print(client.get("/api/agents")["data"][0]["agent_id"], version("voice-agent-platform-client"),
      metadata("voice-agent-platform-client")["License-Expression"])`;
        const { stdout } = await run(python, ['-I', '-c', program], { cwd: base });
        expect(stdout.trim()).toBe(`front-desk ${version} Apache-2.0`);
        expect(keys).toContain('vap_key');
      } finally {
        server.close();
      }
    },
  );
});

const keys: unknown[] = [];

/** Starts a server that answers every request with the same body. */
function answering(body: object): Promise<Server> {
  const server = createServer((request, response) => {
    keys.push(request.headers['x-api-key']);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
