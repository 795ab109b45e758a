/** Builds the production workflows with a change that a careless developer might make. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { repositoryRoot } from '../../../dev/stack/repository';

export interface Change {
  /** A file in `workflows/`. */
  file: string;
  /** Must match exactly once. */
  before: RegExp;
  /** The replacement. It can use the exports of `@temporalio/workflow` as `sdk`. */
  after: string;
}

/** Bundles a changed copy. Throws if the change matches nothing, because then the test would prove nothing. */
export async function bundleChanged({ file, before, after }: Change): Promise<WorkflowBundleWithSourceMap> {
  const root = repositoryRoot();
  const folder = mkdtempSync(join(tmpdir(), 'voice-agent-platform-changed-'));
  try {
    for (const name of ['workflows', 'domain'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const path = join(folder, 'workflows', file);
    const source = readFileSync(path, 'utf8');
    const found = source.match(new RegExp(before, 'g'))?.length ?? 0;
    if (found !== 1) throw new Error(`${file} contains ${String(before)} ${found} times: update this test`);
    writeFileSync(path, `import * as sdk from '@temporalio/workflow';\n${source.replace(before, after)}`);
    return await bundleWorkflowCode({
      workflowsPath: join(folder, 'workflows', 'index.ts'),
      logger: new DefaultLogger('WARN'),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
