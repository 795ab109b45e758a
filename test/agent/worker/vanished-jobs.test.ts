import { VanishedJobs, type ActiveJob } from '../../../agent/worker/job-processes';

const job = (id: string): ActiveJob => ({ jobId: id, roomName: `room-${id}`, identity: `agent-${id}` });
const warn = jest.fn();
const LOG = { debug: () => undefined, info: () => undefined, warn, error: () => undefined };

let held: ActiveJob[];
let putOut: string[];
let jobs: VanishedJobs;

beforeEach(() => {
  held = [];
  putOut = [];
  warn.mockClear();
  jobs = new VanishedJobs(
    () => held,
    ({ identity }) => {
      putOut.push(identity);
      return identity === 'agent-fails' ? Promise.reject(new Error('room-fails')) : Promise.resolve();
    },
    LOG,
  );
});
afterEach(() => jobs.stop());

test('removes an agent from its room once when its process is gone, and keeps running agents', () => {
  held = [job('a'), job('b')];
  jobs.check();
  expect(putOut).toEqual([]);
  held = [job('b')];
  jobs.check();
  jobs.check();
  expect(putOut).toEqual(['agent-a']);
});

test('logs an agent that cannot be removed by its job id, not by its room', async () => {
  held = [job('fails')];
  jobs.check();
  held = [];
  jobs.check();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warn.mock.calls).toEqual([[{ job: 'fails', error: 'Error' }, 'an agent may still be in its room']]);
});
