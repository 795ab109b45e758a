import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { addSearchAttributes } from '../../worker/registration';
import { describeWith } from '../servers/availability';
import { timeSkippingEnvironment } from '../servers/time-skipping';

describeWith('time-skipping', 'search attributes', () => {
  let env: TestWorkflowEnvironment;
  beforeAll(async () => {
    env = await timeSkippingEnvironment();
  });
  afterAll(() => env.teardown());

  test('may have been added by another worker', async () => {
    await addSearchAttributes(env.connection, 'default');
    await expect(addSearchAttributes(env.connection, 'default')).resolves.toBeUndefined();
  });
});
