/** The production workflows, plus a phone as a workflow, so that talk takes skipped time. */
export * from '../../../workflows';
export { phoneWorkflow } from './phone-workflow';
