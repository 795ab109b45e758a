export { campaignWorkflow } from './campaign';
export { callWorkflow } from './call';
export { deliveryWorkflow } from './delivery';
export { notificationWorkflow } from './notification';
export { reconcileWorkflow } from './reconcile';
