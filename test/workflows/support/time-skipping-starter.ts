import type { WorkflowClient } from '@temporalio/client';
import type { WorkflowStarter } from '../../../activities/dependencies';
import { workflowStarter } from '../../../worker/workflow-starter';
import { listed } from '../../servers/listed-workflows';

/** The worker's own starter, except that it doesn't list open workflows, which the time-skipping server doesn't support. */
export const timeSkippingStarter = (client: WorkflowClient): WorkflowStarter => ({
  ...workflowStarter(client),
  openSince: () => listed(),
});
