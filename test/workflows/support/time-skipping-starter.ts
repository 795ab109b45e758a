import type { WorkflowClient } from '@temporalio/client';
import type { WorkflowStarter } from '../../../activities/dependencies';
import { workflowStarter } from '../../../worker/workflow-starter';
import { listed } from '../../servers/listed-workflows';

/** The worker's own, but for a list of what is open, which the time-skipping server does not have. */
export const timeSkippingStarter = (client: WorkflowClient): WorkflowStarter => ({
  ...workflowStarter(client),
  openSince: () => listed(),
});
