import { parseSync } from '@swc/core';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import { ACCEPTED, acceptedAs } from '../../../verify/mutants/accepted';
import { candidateFiles, candidatesOf, ROOTS } from '../../../verify/mutants/candidates';
import { AREAS, withMutant, type Mutant } from '../../../verify/mutants/mutant';
import { tokensOf } from '../../../verify/mutants/sql/tokens';
import { suitesFor } from '../../../verify/mutants/suites';

const root = repositoryRoot();

/** Postgres functions that dialling doesn't use: totals of lists, searches, captions, agent versions, months. */
const OTHERS = [
  'add_to_list',
  'conclude_call',
  'count_agents',
  'count_agent_bytes',
  'count_campaigns',
  'count_contacts',
  'count_list_contacts',
  'count_deliveries',
  'count_rows',
  'drop_call_month',
  'first_key',
  'fold',
  'hold_months',
  'index_contact',
  'index_words',
  'instant_of_id',
  'keep_partitions',
  'make_call_month',
  'make_months',
  'next_segment_seq',
  'search_calls',
  'archive_calls',
  'store_version',
  'take_receiver_slot',
  'notify_call',
  'notify_segments',
  'use_version',
  'words_of',
  'write_words',
];

let candidates: Mutant[];
let sources: Map<string, string>;

beforeAll(async () => {
  const files = await candidateFiles(root);
  candidates = files.flatMap(candidatesOf);
  sources = new Map(files.map(({ file, source }) => [file, source]));
});

test("mutates every Postgres function that isn't known to be unrelated to dialling", async () => {
  const names = (await readdir(join(root, 'db/functions'))).map((name) => name.replace('.sql', ''));
  const mutated = [...sources.keys()].flatMap((file) => /^db\/functions\/(.*)\.sql$/.exec(file)?.[1] ?? []);
  expect([...mutated, ...OTHERS].sort()).toEqual(names.sort());
});

test('finds candidates in each area and in all functions of a call', () => {
  expect(new Set(candidates.map(({ area }) => area))).toEqual(new Set(AREAS));
  for (const name of ROOTS) expect(candidates.map(({ file }) => file)).toContain(`db/functions/${name}.sql`);
});

test('proposes only TypeScript mutants that can be parsed', () => {
  for (const mutant of candidates.filter(({ area }) => area !== 'sql')) {
    const text = withMutant(sources.get(mutant.file) ?? '', mutant);
    expect(() => parseSync(text, { syntax: 'typescript' })).not.toThrow();
  }
});

test('mutates no strings or parentheses in SQL', () => {
  const shape = (source: string): string[] =>
    tokensOf(source).flatMap(({ kind, text }) => (kind === 'string' || '()'.includes(text) ? [text] : []));
  for (const mutant of candidates.filter(({ area }) => area === 'sql')) {
    const source = sources.get(mutant.file) ?? '';
    const replaced = shape(source.slice(mutant.start, mutant.end));
    const balance =
      replaced.filter((text) => text === '(').length - replaced.filter((text) => text === ')').length;
    expect({ place: `${mutant.file}:${mutant.line}`, balance }).toMatchObject({ balance: 0 });
    expect(shape(mutant.replacement)).toEqual([]);
  }
});

test('lists existing test suites for every mutant', () => {
  const suites = new Set(candidates.flatMap(suitesFor));
  expect(candidates.filter((mutant) => suitesFor(mutant).length === 0)).toEqual([]);
  expect([...suites].filter((suite) => !existsSync(join(root, suite)))).toEqual([]);
});

test('accepts only surviving mutants that are still candidates', () => {
  const accepted = candidates.flatMap((mutant) => acceptedAs(mutant) ?? []);
  expect(new Set(accepted)).toEqual(new Set(ACCEPTED));
});
