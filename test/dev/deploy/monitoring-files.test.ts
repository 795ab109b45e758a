/** Checks the dashboard and the alert rules without a server. Tests in `test/stack` show that their metrics exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(__dirname, '..', '..', '..', 'deploy', 'monitoring');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const operations = readFileSync(join(folder, '..', '..', 'docs', 'operations.md'), 'utf8');

/** Sections that aren't empty. */
const sections = [...operations.matchAll(/^### (VoiceAgent\w+)\n\n\S/gm)].map(([, name]) => name);

const dashboard = JSON.parse(read('grafana-dashboard.json'));
const panels: any[] = dashboard.panels.filter(({ type }: { type: string }) => type !== 'row');
const rules: any[] = parse(read('alerts.yml')).groups.flatMap((group: any) => group.rules);

describe('the dashboard', () => {
  test('has unique panel ids and no overlapping panels', () => {
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = new Set<string>();
    for (const { gridPos, title } of dashboard.panels) {
      expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, cells.has(`${x},${y}`)]).toEqual([title, false]);
          cells.add(`${x},${y}`);
        }
      }
    }
  });

  test.each(panels.map((panel): [string, any] => [panel.title, panel]))(
    'gives the panel "%s" a description, a unit and queries',
    (_title, panel) => {
      expect(panel.title).toMatch(/\S/);
      expect(panel.description).toMatch(/\.$/);
      expect(panel.fieldConfig.defaults.unit).toMatch(/^[a-z]+$/);
      expect(panel.targets.length).toBeGreaterThan(0);
      for (const { expr, legendFormat, datasource } of panel.targets) {
        expect(expr).toMatch(/\S/);
        expect(legendFormat).toMatch(/\S/);
        expect(datasource.uid).toBe('${datasource}');
      }
    },
  );
});

describe('the alert rules', () => {
  test('gives each alert a unique name', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(10);
  });

  test.each(rules.map((rule): [string, any] => [rule.alert, rule]))(
    'gives the alert %s a severity, a summary and a runbook',
    (name, { expr, labels, annotations }) => {
      expect(name).toMatch(/^VoiceAgent[A-Z][A-Za-z]+$/);
      expect(expr).toMatch(/[<>=]/);
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\S/);
      expect(annotations.runbook).toBe(`docs/operations.md#${name.toLowerCase()}`);
      expect(sections).toContain(name);
    },
  );

  test('gives each alert a section in docs/operations.md, and vice versa', () => {
    expect([...sections].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});
