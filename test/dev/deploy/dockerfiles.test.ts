import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCompose, root, textOf } from './compose-file';
import { followImports, missingInBuild, packagesOf } from './build-inputs';
import { copyOf, stagesOf, type Stage } from './dockerfile';

const files = ['deploy/platform.Dockerfile', 'deploy/agent.Dockerfile'];

/** All programs that containers start. */
const PROGRAMS = [
  'api/main.ts',
  'api/admin/main.ts',
  'worker/main.ts',
  'db/migrate.ts',
  'verify/histories/running/main.ts',
  'agent/main.ts',
  'agent/job/main.ts',
];

/** Sources that are compiled into the agent's workspace. */
const AGENT_SOURCES = ['agent', 'domain', 'config', 'runtime/network'];

/** The last stage becomes the image. */
const imageOf = (stages: Stage[]): Stage => stages.at(-1) ?? { image: '', name: null, instructions: [] };

const textsOf = (stage: Stage, name: string): string[] =>
  stage.instructions.filter((one) => one.name === name).map(({ text }) => text);

const packageOf = (folder: string): { scripts: Record<string, string> } =>
  JSON.parse(textOf(join(folder, 'package.json')));

/** Names that `.dockerignore` allows; it excludes everything else. */
const letIn = textOf('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

describe.each(files)('%s', (file) => {
  const stages = stagesOf(textOf(file));
  const image = imageOf(stages);

  test('builds all stages from one version of Node 22 on Debian, pinned by digest', () => {
    const pinned = /^node:22\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/;
    for (const stage of stages) expect(stage.image).toMatch(pinned);
    const versions = files.flatMap((each) => stagesOf(textOf(each)).map((stage) => stage.image));
    expect(new Set(versions).size).toBe(1);
  });

  test('runs the image without root', () => {
    expect(textsOf(image, 'USER')).toEqual(['node']);
  });

  test('has a health check', () => {
    expect(textsOf(image, 'HEALTHCHECK')).toEqual([
      expect.stringMatching(/--interval=\d+s .*CMD \["node", "-e", ".*\/readyz/),
    ]);
  });

  test('copies only existing files that .dockerignore allows', () => {
    const sources = stages.flatMap((stage) =>
      stage.instructions
        .filter(({ name }) => name === 'COPY')
        .map(copyOf)
        .filter((copy) => copy.stage === null)
        .flatMap((copy) => copy.sources),
    );
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) {
      const [top = ''] = source.split('/');
      expect([source, existsSync(join(root, source)), letIn.includes(top)]).toEqual([source, true, true]);
    }
  });

  test('provides every file and package that its compilers read', () => {
    const builds = stages.flatMap((stage) => {
      const missing = missingInBuild(stage);
      return missing === null ? [] : [[stage.name, missing]];
    });
    expect(builds.length).toBeGreaterThan(0);
    expect(builds).toEqual(builds.map(([name]) => [name, []]));
  });

  test("provides every file and package that the image's programs load", () => {
    const stageOf = (wanted: string) => stages.find(({ name }) => name === wanted);
    const compiled = image.instructions
      .filter(({ name }) => name === 'COPY')
      .map(copyOf)
      .flatMap(({ stage, sources }) => (stage === 'build' ? sources : []))
      .flatMap((path) => (path === '/build/agent/dist' ? AGENT_SOURCES : path.replace('/build/dist/', '')))
      .map((path) => path.replace(/\.js$/, '.ts'));
    const roots = PROGRAMS.filter((program) => compiled.some((path) => program.startsWith(`${path}/`)));
    const packages = packagesOf(stageOf('dependencies'));
    expect(roots).not.toEqual([]);
    expect(followImports(roots, { copied: compiled, packages }, 'running').missing).toEqual([]);
  });

  test('copies only from earlier stages', () => {
    stages.forEach((stage, index) => {
      const before = stages.slice(0, index).map((other) => other.name);
      const from = stage.instructions.filter(({ name }) => name === 'COPY').map((one) => copyOf(one).stage);
      for (const name of from) expect([null, ...before]).toContain(name);
    });
  });

  test('contains neither sources nor build tools in the final image', () => {
    const copies = image.instructions.filter(({ name }) => name === 'COPY').map(copyOf);
    for (const { stage, sources } of copies) {
      if (stage === null)
        expect(sources.filter((source) => !/(^|\/)(package\.json|LICENSE)$/.test(source))).toEqual([]);
      if (stage === 'dependencies') expect(sources).toEqual(['/build/node_modules']);
      if (stage === 'build' || stage === 'console')
        expect(sources.filter((source) => !/\/dist(\/|$)/.test(source))).toEqual([]);
    }
    const development = copies.flatMap(({ sources }) => sources).filter((path) => path.includes('/dist/dev'));
    expect(development).toEqual(file.includes('platform') ? ['/build/dist/dev/error-text.js'] : []);
  });

  test('installs packages from the lock file, with only runtime packages in the image', () => {
    const installs = stages.map((stage) =>
      textsOf(stage, 'RUN').filter((text) => /\bnpm (ci|i|install)\b/.test(text)),
    );
    expect(installs.at(-1)).toEqual([]);
    for (const lines of installs.slice(0, -1)) expect(lines).toHaveLength(1);
    for (const line of installs.flat()) expect(line).toMatch(/^npm ci .*--ignore-scripts/);
    expect(installs[stages.findIndex(({ name }) => name === 'dependencies')]?.[0]).toContain('--omit=dev');
  });

  test('copies the scripts that it runs', () => {
    const runs = stages.flatMap((stage) => textsOf(stage, 'RUN'));
    for (const run of runs) {
      for (const [, script = '', folder = '.'] of run.matchAll(/npm run ([\w:]+)(?: --workspace (\w+))?/g)) {
        expect([script, packageOf(folder).scripts[script]]).toEqual([script, expect.any(String)]);
      }
    }
  });

  test('takes no secrets at build time', () => {
    const texts = stages.flatMap((stage) => [...textsOf(stage, 'ENV'), ...textsOf(stage, 'ARG')]);
    expect(texts.filter((text) => /SECRET|PASSWORD|TOKEN|_KEY/.test(text))).toEqual([]);
  });

  test('starts a program that has a source, and is built by Compose', () => {
    const [, program = ''] = JSON.parse(textsOf(image, 'CMD')[0] ?? '[]') as string[];
    expect(existsSync(join(root, program.replace('dist/', '').replace(/\.js$/, '.ts')))).toBe(true);
    const built = Object.values(readCompose('docker-compose.yml').services).map(
      ({ build }) => build?.dockerfile,
    );
    expect(built).toContain(file);
  });
});

test('excludes secrets, data and git history from the build context', () => {
  const [first] = textOf('.dockerignore')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(first).toBe('*');
  expect(letIn.filter((name) => /^\.|\.env/.test(name))).toEqual([]);
});

test('rejects a Dockerfile with an unknown instruction', () => {
  expect(() => stagesOf('FROM node:22\nADD https://example.com/x /x')).toThrow('ADD https://example.com/x');
});
