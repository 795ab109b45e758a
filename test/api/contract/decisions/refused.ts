import type { Answer, TestApi } from '../../support/test-api';
import type { Bench } from '../bench';

export interface Refused {
  statuses: number[];
  /** `plain` has no media server. */
  ask: (bench: Bench, plain: TestApi) => Promise<Answer | Answer[]>;
}
