import { parse } from 'yaml';
import { imagesOf } from '../../../dev/release/artifacts';
import { root, textOf } from '../deploy/compose-file';

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { strategy?: { matrix: { include?: object[] } } }>;
}
const FILES = ['.github/workflows/checks.yml', '.github/workflows/release.yml'];
const workflow = (file: string): Workflow => parse(textOf(file));

test.each(FILES)('pins each action in %s to a commit and names its version', (file) => {
  const used = textOf(file).match(/uses: .*/g) ?? [];
  expect(used.length).toBeGreaterThan(4);
  expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
    [],
  );
});

test.each(FILES)('gives %s only read permission, except in the jobs that publish', (file) => {
  expect(workflow(file).permissions).toEqual({ contents: 'read' });
});

test('publishes the images that docker-compose.yml builds', () => {
  const published = workflow('.github/workflows/release.yml').jobs.images?.strategy?.matrix.include;
  expect(published).toEqual(imagesOf(root));
  expect(published?.length).toBe(3);
});
