/** The production workflows, plus a phone as a workflow, so that conversations take skipped time. */
export * from '../../../workflows';
export { phoneWorkflow } from './phone-workflow';
