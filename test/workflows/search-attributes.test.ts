import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { addSearchAttributes } from '../../worker/registration';
import { describeWith } from '../servers/availability';
import { timeSkippingEnvironment } from '../servers/time-skipping';

describeWith('time-skipping', 'addSearchAttributes()', () => {
  let env: TestWorkflowEnvironment;
  beforeAll(async () => {
    env = await timeSkippingEnvironment();
  });
  afterAll(() => env.teardown());

  test('succeeds if another worker has already added the attributes', async () => {
    await addSearchAttributes(env.connection, 'default');
    await expect(addSearchAttributes(env.connection, 'default')).resolves.toBeUndefined();
  });
});
