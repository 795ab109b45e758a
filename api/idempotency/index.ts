export { idempotent, type IdempotentAnswer, type IdempotentRequest } from './idempotent';
export { idempotencyKey, REPLAYED } from './key';
