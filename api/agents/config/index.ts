export { sectionSchemas } from './sections';
export {
  sizeFault,
  validateAgentConfig,
  validateModifyAgent,
  validateSection,
  type Validated,
} from './validate';
export { withoutForbiddenTransfers } from './transfer-faults';
