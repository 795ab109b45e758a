import { errorText } from '../../dev/error-text';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { repositoryRoot } from '../../dev/stack/repository';
import { during } from '../../dev/progress';
import type { Run } from './open-servers';
import { publish } from './published';

/** Bundles the production workflows and the test workflows from the sources under `root`. */
export async function bundledWorkflows(root: string): Promise<string> {
  const workflowsPath = join(root, 'test', 'workflows', 'support', 'workflows.ts');
  return (await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') })).code;
}

/** Bundles the workflows once for all workers of the run. */
export async function openBundle(run: Run): Promise<void> {
  const file = join(run.folder, 'workflow-bundle.js');
  try {
    const code = await during(run.onProgress, 'bundling the workflows', () =>
      bundledWorkflows(repositoryRoot()),
    );
    await writeFile(file, code);
    publish('TEST_WORKFLOW_BUNDLE', file);
  } catch (error) {
    publish('TEST_WORKFLOW_BUNDLE_FAULT', errorText(error));
  }
}
