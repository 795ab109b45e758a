import { PassThrough } from 'node:stream';
import { ReplayReport } from '../../../verify/histories/running/report';

const FAULT = 'Nondeterminism error: no timer was expected';

function reportOn({ isTTY }: { isTTY: boolean }) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const report = new ReplayReport({ out, err: Object.assign(err, { isTTY }) }, 3);
  const read = (stream: PassThrough): string => String(stream.read() ?? '');
  return { report, out: () => read(out), err: () => read(err) };
}

const call = (workflowId: string, fault: string | null) => ({ workflowId, type: 'callWorkflow', fault });

describe('the report of a replay', () => {
  test('reports a workflow that fails to replay immediately, and the counts by type at the end', () => {
    const { report, out } = reportOn({ isTTY: false });
    report.add(call('one', null));
    expect(out()).toBe('');
    report.add(call('two', FAULT));
    expect(out()).toBe(`two (callWorkflow) would break: ${FAULT}\n`);
    report.add({ workflowId: 'three', type: 'campaignWorkflow', fault: null });
    report.add({ workflowId: 'four', type: 'aWorkflow', fault: null });
    report.end();
    expect(out().split('\n')).toEqual([
      'aWorkflow: 1 replay, 0 would break',
      'callWorkflow: 1 replay, 1 would break',
      'campaignWorkflow: 1 replay, 0 would break',
      '1 of 4 would break.',
      '',
    ]);
    expect(report.broken).toBe(1);
  });

  test('reports that no workflow is open', () => {
    const { report, out } = reportOn({ isTTY: false });
    report.end();
    expect(out()).toBe('No workflow is open.\n');
    expect(report.broken).toBe(0);
  });
});
