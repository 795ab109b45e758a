export { byKey, byKeyOrSignature, type Access, type Gates } from './access';
export {
  answers,
  answersFile,
  answersInPieces,
  answersJsonOrText,
  answersRanges,
  type Answer,
  type JsonStream,
} from './answer';
export { json, type Body, type Reading, type RequestExample } from './body';
export type { ApiContext, ApiState } from './context';
export { endpoint, type Endpoint, type EndpointFacts, type Method } from './endpoint';
export { routerOf } from './router';
