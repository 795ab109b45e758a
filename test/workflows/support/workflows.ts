/** The production workflows, and the telephone that the tests ring: a workflow too, so that talk passes in skipped time. */
export * from '../../../workflows';
export { phoneWorkflow } from './phone-workflow';
