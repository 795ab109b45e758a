import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from '../../../dev/release/artifacts';
import { root } from '../deploy/compose-file';

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const namesOf = (dependencies: object): string[] => Object.keys(dependencies);

test('lists every runtime package with its licence, and no development package', async () => {
  const bill = await billOfMaterials(root, 'voice-agent-platform');
  const refOf = new Map(bill.components.map((one: any) => [one.purl.replace(/@[^@]*$/, ''), one]));
  const purlOf = (name: string) => `pkg:npm/${name.replace('@', '%40')}`;
  const { dependencies, devDependencies } = manifestOf('.');
  const shipped = namesOf({ ...dependencies, ...manifestOf('agent').dependencies });
  expect(shipped.filter((name) => !(refOf.get(purlOf(name))?.licenses?.length > 0))).toEqual([]);
  for (const name of ['jest', 'eslint', 'prettier']) {
    expect(devDependencies).toHaveProperty(name);
    expect(refOf.has(purlOf(name))).toBe(false);
  }
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(bill.metadata.component.name).toBe('voice-agent-platform');
  const refs = [bill.metadata.component, ...bill.components].map((one) => one['bom-ref']);
  const linked = bill.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]);
  expect(linked.filter((ref) => !refs.includes(ref))).toEqual([]);
});
