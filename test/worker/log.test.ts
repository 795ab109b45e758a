/** Every line of the worker's log identifies its subject, and contains no data of a workflow or an error. */
import { Writable } from 'node:stream';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sdkLog, workerLog } from '../../worker/log';

describe("the worker's log", () => {
  const lines: any[] = [];
  const log = workerLog(
    { level: 'info' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    }),
  );
  beforeEach(() => (lines.length = 0));

  const written = async (info: object): Promise<unknown> => {
    await new MockActivityEnvironment(info).run(() => {
      log.info('written');
      return Promise.resolve();
    });
    return lines.at(-1);
  };

  test("adds the call id to log lines of a call's activity", async () => {
    const line = await written({
      activityType: 'dial',
      attempt: 2,
      workflowType: 'callWorkflow',
      workflowExecution: { workflowId: 'outbound-1', runId: 'run' },
    });
    expect(line).toMatchObject({
      process: 'worker',
      msg: 'written',
      activity: 'dial',
      attempt: 2,
      workflow_id: 'outbound-1',
      call_id: 'outbound-1',
    });
    expect(line).not.toHaveProperty('campaign_id');
  });

  test("adds the campaign id to log lines of a campaign's activity", async () => {
    const line = await written({
      activityType: 'claimPage',
      workflowType: 'campaignWorkflow',
      workflowExecution: { workflowId: 'campaign-7b9e', runId: 'run' },
    });
    expect(line).toMatchObject({ workflow_id: 'campaign-7b9e', campaign_id: '7b9e' });
    expect(line).not.toHaveProperty('call_id');
  });

  test("lets a log line name a call other than its activity's", async () => {
    await new MockActivityEnvironment({
      workflowType: 'callWorkflow',
      workflowExecution: { workflowId: 'outbound-1', runId: 'run' },
    }).run(() => Promise.resolve(log.warn({ call_id: 'outbound-2' }, 'written')));
    expect(lines.at(-1)).toMatchObject({ call_id: 'outbound-2', workflow_id: 'outbound-1' });
  });

  test('adds no ids outside an activity', () => {
    log.info('written');
    expect(Object.keys(lines.at(-1)).sort()).toEqual(['level', 'msg', 'process', 'time']);
  });

  test("keeps ids, names and the error's message from the SDK's lines, and drops the rest", () => {
    sdkLog(log).warn('Activity failed', {
      workflowId: 'outbound-1',
      workflowType: 'callWorkflow',
      runId: 'run',
      activityType: 'dial',
      attempt: 3,
      args: ['+919876543210'],
      memo: { name: 'Priyanka' },
      error: new Error('unreachable'),
    });
    expect(lines.at(-1)).toMatchObject({
      msg: 'Activity failed',
      call_id: 'outbound-1',
      workflow_id: 'outbound-1',
      run_id: 'run',
      activity: 'dial',
      attempt: 3,
      error: 'unreachable',
    });
    expect(JSON.stringify(lines.at(-1))).not.toMatch(/9876543210|Priyanka/);
  });

  test("drops a database error's message, which may quote a value", () => {
    const quoting = new Error('invalid input syntax for type uuid: "Priyanka"');
    sdkLog(log).error('Activity failed', {
      error: Object.assign(quoting, { severity: 'ERROR', code: '22P02' }),
    });
    expect(lines.at(-1)).toMatchObject({ level: 50, error: 'Error 22P02' });
  });
});
