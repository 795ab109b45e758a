/** Checks the Dockerfile for local speech, because the tests can't build images. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCompose, root, textOf } from './compose-file';
import { copyOf, stagesOf, type Stage } from './dockerfile';

const FILE = 'deploy/local-models.Dockerfile';
const text = textOf(FILE);
const stages = stagesOf(text);
const image = stages.at(-1);
const service = readCompose('docker-compose.yml').services['local-models'];

const textsOf = (stage: Stage | undefined, name: string): string[] =>
  (stage?.instructions ?? []).filter((one) => one.name === name).map((one) => one.text);

test("builds the local models' image from a single Python image, pinned by digest", () => {
  const bases = new Set(stages.map((stage) => stage.image).filter((name) => name.includes(':')));
  expect([...bases]).toEqual([
    expect.stringMatching(/^python:3\.1\d\.\d+-slim-bookworm@sha256:[0-9a-f]{64}$/),
  ]);
  const others = new Set(stages.map((stage) => stage.image).filter((name) => !name.includes(':')));
  expect([...others].sort()).toEqual(['recogniser-${RECOGNISER}', 'scratch', 'voice-${VOICE}']);
});

test("installs the local models' packages by hash and compiles nothing", () => {
  const installs = stages.flatMap((stage) => textsOf(stage, 'RUN')).filter((run) => run.includes('pip'));
  expect(installs).toEqual([
    expect.stringMatching(/--require-hashes --only-binary :all: .*requirements\.txt$/),
  ]);
});

test('downloads all files of the larger models, at a fixed revision, into the folders that the program reads', () => {
  const added = stages.flatMap((stage) => textsOf(stage, 'ADD'));
  const urls = added.map((one) => /https:\/\/\S+/.exec(one)?.[0] ?? one);
  for (const url of urls) expect(url).toMatch(/\/resolve\/[0-9a-f]{40}\//);
  const filesIn = (stage: string): string[] =>
    textsOf(
      stages.find(({ name }) => name === stage),
      'ADD',
    ).map((one) => one.split(/[ /]/).at(-3) ?? '');
  expect(filesIn('recogniser-small')).toEqual([
    'model.bin',
    'config.json',
    'tokenizer.json',
    'vocabulary.txt',
  ]);
  expect(filesIn('voice-ljspeech-high')).toEqual([
    'en_US-ljspeech-high.onnx',
    'en_US-ljspeech-high.onnx.json',
  ]);
  const folders = stages
    .flatMap((stage) => textsOf(stage, 'WORKDIR'))
    .filter((one) => one.startsWith('/models'));
  expect(new Set(folders)).toEqual(
    new Set(['/models/recogniser', '/models/recogniser/small', '/models/voice']),
  );
});

test("copies only existing files into the local models' image", () => {
  const copies = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'COPY'));
  const sources = copies.map(copyOf).flatMap((copy) => (copy.stage === null ? copy.sources : []));
  expect(sources).toEqual(['dev/local-models/requirements.txt', 'dev/local-models/python']);
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
});

test('runs the local models as `nobody`, without downloads, with the same command as in Compose', () => {
  expect(textsOf(image, 'USER')).toEqual(['nobody']);
  expect(textsOf(image, 'ENV').join(' ')).toContain('HF_HUB_OFFLINE=1');
  expect(textsOf(image, 'CMD')).toEqual([
    expect.stringMatching(/^\["python", "main\.py", "--host", "0\.0\.0\.0", "--models", "\/models"\]$/),
  ]);
  expect(service?.command).toEqual(JSON.parse(textsOf(image, 'CMD')[0] ?? '[]'));
  expect([service?.user, service?.build?.dockerfile]).toEqual(['nobody', FILE]);
});
