export { campaignWorkflow } from './campaign';
export { callWorkflow } from './call';
export { deliveryWorkflow } from './delivery';
export { inboundRouteWorkflow } from './inbound-route';
export { notificationWorkflow } from './notification';
export { reconcileWorkflow } from './scheduled';
export { retentionWorkflow } from './scheduled';
