export { campaignWorkflow } from './campaign';
export { callWorkflow } from './call';
export { deliveryWorkflow } from './delivery';
export { reconcileWorkflow } from './reconcile';
