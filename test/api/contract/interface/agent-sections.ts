/** Checks the five sections of an agent's configuration through every endpoint that accepts them. */
import { expectRefused, expectStatus, type Bench } from '../bench';
import type { Coverage } from '../coverage';
import type { Item } from '../items';
import { cell, inlineFields, valuesOf, type Values } from '../values';

const SECTIONS = 'Resources and their fields > Agent configuration sections';
const NAMES = ['persona', 'training', 'experience', 'analysis', 'deployment'] as const;
type SectionName = (typeof NAMES)[number];

/** The one row whose field name isn't in the interface but in docs/decisions.md. */
const DECIDED_PATHS: Readonly<Record<string, string>> = { 'know_how (pain points)': 'know_how.pain_points' };

export function agentSectionChecks(coverage: Coverage, items: readonly Item[]): void {
  for (const section of NAMES) {
    const rows = items.filter(
      ({ kind, id }) => kind === 'row' && id.startsWith(`${SECTIONS} > ${section} > `),
    );
    coverage.coversRows(`${SECTIONS} > ${section}`, async (bench, item) => {
      for (const path of pathsOf(item)) await holds(bench, section, path, valuesOfRow(item));
      if (cell(item, 'Notes') === 'same shape as primary') await holdsLikePrimary(bench, section, item, rows);
      if (cell(item, 'Notes').startsWith('item fields:')) await holdsItems(bench, section, item);
    });
  }
  coverage.under(SECTIONS, {
    'Each section is updated by its own partial-update endpoint.': async (bench) => {
      for (const section of NAMES) expectStatus(await bench.patch(section, bodyOf(section, {})), 200);
    },
    'Only the keys sent are deep-merged into the stored section; omitted keys are unchanged.': mergesDeeply,
  });
  coverage.under(`${SECTIONS} > analysis`, {
    [DISPOSITION_ITEM]: (bench, item) => holdsListItems(bench, item, 'evaluations.dispositions.prompt_based'),
    [DATA_POINT_ITEM]: (bench, item) => holdsListItems(bench, item, 'extraction.data_collection.data_points'),
  });
}

const DISPOSITION_ITEM =
  'Prompt-based disposition item: name (string, required, max 30 characters), type (string, required: bool, string, number), prompt (string, required), list_of_tags (object, optional, map tag to description).';
const DATA_POINT_ITEM =
  'Data point item: name (string, required, max 30 characters), prompt (string, required), values (array, optional allowed values), nullable (boolean, optional; whether null is allowed when nothing is found).';

/** Expands `a.b / c` to `a.b` and `a.c`. */
function pathsOf(item: Item): string[] {
  const written = cell(item, 'Path');
  const [first = '', ...others] = (DECIDED_PATHS[written] ?? written).split(' / ');
  const parent = first.slice(0, first.lastIndexOf('.'));
  return [first, ...others.map((name) => `${parent}.${name}`)];
}

const valuesOfRow = (item: Item): Values => valuesOf(cell(item, 'Type'), cell(item, 'Notes'));

/**
 * Checks that the section's endpoint stores the valid values and rejects the others at the field's path. Create-agent and a dispatch's
 * override use the same schema, so they are checked with the first and the last rejected value.
 */
async function holds(
  bench: Bench,
  section: SectionName,
  path: string,
  { accepted, refused }: Values,
): Promise<void> {
  for (const value of accepted) {
    expectStatus(await bench.patch(section, nested(path, value)), 200);
    expectStored(valueAt(await storedSection(bench, section), inSection(path)), value);
  }
  for (const [index, value] of refused.entries()) {
    const change = nested(path, value);
    expectRefused(await bench.patch(section, change), `body.${path}`);
    if (index !== 0 && index !== refused.length - 1) continue;
    const config = { agent_display_name: 'Never', config: { [section]: change } };
    expectRefused(
      await bench.api.ask('/api/create-agent', { json: config }),
      `body.config.${section}.${path}`,
    );
    if (section === 'deployment') continue;
    expectRefused(
      await bench.call({ modify_agent: { [section]: change } }),
      `body.modify_agent.${section}.${path}`,
    );
  }
}

/** An object is merged into the stored one, so other keys may remain. */
function expectStored(stored: unknown, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    expect(stored).toMatchObject(value);
  else expect(stored).toEqual(value);
}

async function holdsLikePrimary(
  bench: Bench,
  section: SectionName,
  item: Item,
  rows: readonly Item[],
): Promise<void> {
  const primary = cell(item, 'Path').replace(/fallback$/, 'primary.');
  const alike = rows.filter((row) => cell(row, 'Path').startsWith(primary));
  expect(alike.length).toBeGreaterThan(1);
  for (const row of alike) {
    for (const path of pathsOf(row))
      await holds(bench, section, path.replace('.primary.', '.fallback.'), valuesOfRow(row));
  }
}

async function holdsItems(bench: Bench, section: SectionName, item: Item): Promise<void> {
  const path = cell(item, 'Path');
  const fields = [...cell(item, 'Notes').matchAll(/(\w+) \(([\w ]+)\)/g)];
  expect(fields.length).toBeGreaterThan(1);
  for (const [, name = '', type = ''] of fields)
    await holdsInList(bench, section, path, { [name]: valuesOf(type, '') });
}

/** Checks the values of each field of a list's items while the other fields are valid. */
async function holdsInList(
  bench: Bench,
  section: SectionName,
  path: string,
  fields: Readonly<Record<string, Values>>,
): Promise<void> {
  const valid = Object.fromEntries(Object.entries(fields).map(([name, { accepted }]) => [name, accepted[0]]));
  for (const [name, { accepted, refused }] of Object.entries(fields)) {
    for (const value of accepted) {
      const entries = [{ ...valid, [name]: value }];
      expectStatus(await bench.patch(section, nested(path, entries)), 200);
      expect(valueAt(await storedSection(bench, section), path)).toEqual(entries);
    }
    for (const value of refused) {
      expectRefused(
        await bench.patch(section, nested(path, [{ ...valid, [name]: value }])),
        `body.${path}.0.${name}`,
      );
    }
  }
}

async function holdsListItems(bench: Bench, { text }: Item, path: string): Promise<void> {
  const fields = inlineFields(text);
  const values = fields.map(({ name, rule }) => {
    const choices = /: (`.*)$/.exec(rule)?.[1] ?? '';
    return [name, valuesOf(/^\w+/.exec(rule)?.[0] ?? '', choices || rule)] as const;
  });
  await holdsInList(bench, 'analysis', path, Object.fromEntries(values));
  const valid = Object.fromEntries(values.map(([name, { accepted }]) => [name, accepted[0]]));
  for (const { name, rule } of fields) {
    const { [name]: _left, ...without } = valid;
    const answer = await bench.patch('analysis', nested(path, [without]));
    if (rule.includes('required')) expectRefused(answer, `body.${path}.0.${name}`);
    else expectStatus(answer, 200);
  }
}

async function mergesDeeply(bench: Bench): Promise<void> {
  const { agent_id } = (await bench.api.ask('/api/create-agent', { json: { agent_display_name: 'Merged' } }))
    .body;
  const first = { identity: { system_prompt: 'One', personality: { tone: 'warm' } }, metadata: { a: 1 } };
  const second = { identity: { personality: { pace: 'slow' } }, metadata: { a: 2 } };
  expectStatus(await bench.patch('persona', first, agent_id), 200);
  expectStatus(await bench.patch('persona', second, agent_id), 200);
  const { config } = await bench.get(`/api/agent/${agent_id}`);
  expect(config.persona).toEqual({
    identity: { system_prompt: 'One', personality: { tone: 'warm', pace: 'slow' } },
    metadata: { a: 2 },
  });
}

const bodyOf = (section: SectionName, change: object): object =>
  section === 'deployment' ? { deployment: change } : change;

/** Paths in the `deployment` section start with its wrapping key, which isn't stored. */
const inSection = (path: string): string => path.replace(/^deployment\./, '');

async function storedSection(bench: Bench, section: SectionName): Promise<unknown> {
  return (await bench.get(`/api/agent/${bench.agentId}`)).config[section];
}

const nested = (path: string, value: unknown): object =>
  path.split('.').reduceRight<any>((inner, key) => ({ [key]: inner }), value);

const valueAt = (data: any, path: string): unknown =>
  path.split('.').reduce((inner, key) => inner?.[key], data);
