import type { Answer, TestApi } from '../../support/test-api';
import type { Bench } from '../bench';

export interface Refused {
  statuses: number[];
  /** `plain` is an API without a media server. */
  ask: (bench: Bench, plain: TestApi) => Promise<Answer | Answer[]>;
}
