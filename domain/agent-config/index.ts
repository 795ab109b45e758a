export {
  dataPointsOf,
  dispositionsOf,
  hasCustomLlm,
  inboundNumber,
  maxTalkSeconds,
  numbersOf,
  outboundNumbers,
} from './derived';
export { resolveSection } from './resolve';
export {
  resolveConfig,
  SECTION_NAMES,
  SECTIONS,
  type AgentConfig,
  type DataPoint,
  type DispositionItem,
  type DispositionType,
  type ResolvedConfig,
  type ResolvedSection,
  type SectionName,
} from './tables';
