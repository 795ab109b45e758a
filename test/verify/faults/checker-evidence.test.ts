/** Tests how the checker reads the evidence of a run. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDatabaseUrl, readEvidence } from '../../../verify/faults/checker/evidence';
import { judge } from '../../../verify/faults/checker/index';
import { temporaryFolder } from '../../dev/temporary-folder';
import { rightRun } from './right-run';

const parent = temporaryFolder();

/** Writes the evidence of a correct run to a folder. */
function written(): { folder: string; write: (name: string, text: string) => void } {
  const folder = mkdtempSync(join(parent, 'evidence-'));
  const story = rightRun();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const lines = (name: string, values: readonly unknown[]) =>
    write(`${name}.jsonl`, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const carrier = [...story.carrier].sort((one, other) => one.trueS - other.trueS).map(({ line }) => line);
  lines('simulator', [{ kind: 'route', at: 'whenever' }, ...carrier]);
  lines('receiver', story.evidence.receiver);
  lines('clock', story.evidence.clock);
  lines('acknowledged', story.evidence.requests);
  lines('faults', []);
  lines('restarts', []);
  write('campaigns.json', JSON.stringify(story.evidence.campaigns));
  write('organizations.json', JSON.stringify(story.evidence.organizations));
  write('open-workflows.json', JSON.stringify(story.evidence.openWorkflows));
  mkdirSync(join(folder, 'logs'));
  write('database.json', JSON.stringify({ url: 'postgres://somewhere' }));
  return { folder, write };
}

test('reads a folder of evidence with line numbers', () => {
  const { folder } = written();
  const evidence = readEvidence(folder);
  expect(judge(evidence, rightRun().rows)).toEqual(rightRun().verdict());
  expect(evidence.carrier[0]).toMatchObject({ kind: 'placed', line: 2 });
  expect(readDatabaseUrl(folder)).toBe('postgres://somewhere');
});

test('reports a failed replay in the log of any process', () => {
  const { folder, write } = written();
  mkdirSync(join(folder, 'logs', 'worker'));
  write('logs/api.log', 'started\n');
  write('logs/worker/worker.log', 'started\n[TMPRL1100] Nondeterminism error: no\n');
  const evidence = readEvidence(folder);
  expect(evidence.replayFailures).toEqual([{ file: 'logs/worker/worker.log', line: 2 }]);
  expect(judge(evidence, rightRun().rows).invariants[8]?.violations).toEqual([
    'a workflow failed to replay (logs/worker/worker.log:2)',
  ]);
});

test('skips an incomplete evidence line of a killed process', () => {
  const { folder, write } = written();
  write(
    'simulator.jsonl',
    `{"kind":"placed","at":"2026-\n${readFileSync(join(folder, 'simulator.jsonl'), 'utf8')}`,
  );
  expect(readEvidence(folder).carrier[0]).toMatchObject({ kind: 'placed', line: 3 });
});

test('rejects evidence with a malformed line', () => {
  const { folder, write } = written();
  write('acknowledged.jsonl', '{"sent_at":"soon","method":"POST","path":"/","status":200}\n');
  expect(() => readEvidence(folder)).toThrow(/acknowledged\.jsonl:1: "sent_at" must be in iso format/);
});

test("rejects evidence without the carrier's log, the requests or the campaigns", () => {
  for (const name of ['simulator.jsonl', 'acknowledged.jsonl', 'campaigns.json', 'organizations.json']) {
    const { folder } = written();
    rmSync(join(folder, name));
    expect(() => readEvidence(folder)).toThrow('ENOENT');
  }
});

test('reads the evidence of a run without faults', () => {
  const { folder } = written();
  for (const name of ['faults', 'restarts', 'clock', 'receiver']) rmSync(join(folder, `${name}.jsonl`));
  expect(readEvidence(folder)).toMatchObject({ faults: [], restarts: [], clock: [], receiver: [] });
});
