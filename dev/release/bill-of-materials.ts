/** Builds the CycloneDX bill of materials from the output of npm's own command. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const FOR_DEVELOPMENT = 'cdx:npm:package:development';

interface Component {
  'bom-ref': string;
  name: string;
  properties?: { name: string }[];
}

export interface BillOfMaterials {
  bomFormat: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * Lists the packages that the product uses at run time. npm's `--omit dev` would also drop packages that a development tool shares with the
 * product, such as pg.
 */
export async function billOfMaterials(root: string, name: string): Promise<BillOfMaterials> {
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = JSON.parse(stdout) as BillOfMaterials;
  const isShipped = ({ properties = [] }: Component): boolean =>
    !properties.some((property) => property.name === FOR_DEVELOPMENT);
  const components = all.components.filter(isShipped);
  const kept = new Set([all.metadata.component, ...components].map((one) => one['bom-ref']));
  return {
    ...all,
    // By default, npm uses the folder's name.
    metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) })),
  };
}
