import { published, publishedOrNull } from './published';

/** Returns the workflow bundle, which is built once per run. Pass it to `Worker.create` as `workflowBundle`. */
export function workflowBundle(): { codePath: string } {
  const fault = publishedOrNull('TEST_WORKFLOW_BUNDLE_FAULT');
  if (fault !== null) throw new Error(`the workflows could not be bundled: ${fault}`);
  return { codePath: published('TEST_WORKFLOW_BUNDLE') };
}
