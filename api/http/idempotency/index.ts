export { idempotent, type IdempotentAnswer, type IdempotentRequest } from './idempotent';
export { idempotencyKey } from './key';
export { presentIdempotent } from './present';
