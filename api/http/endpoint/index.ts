export {
  byKey,
  byKeyOrSignature,
  byKeyThroughout,
  bySecretInBody,
  bySession,
  type Access,
  type Gates,
  type Visitor,
} from './access';
export {
  answers,
  answersEvents,
  answersFile,
  answersInPieces,
  answersJsonOrText,
  answersNothing,
  answersRanges,
  type Answer,
  type JsonStream,
} from './answer';
export { json, type Body, type Reading, type RequestExample } from './body';
export type { ApiContext, ApiState } from './context';
export { endpoint, type Endpoint, type EndpointFacts, type Method } from './endpoint';
export { routerOf } from './router';
