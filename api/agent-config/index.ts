export {
  sectionSchemas,
  validateAgentConfig,
  validateModifyAgent,
  validateSection,
  type ConfigFault,
  type Validated,
} from './validate';
