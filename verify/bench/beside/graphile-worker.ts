/** The dialler on graphile-worker. */
import { run } from 'graphile-worker';
import { DIAL_QUEUE, dialJobs } from './dial-job';
import { required, runProgram } from './rival-program';

runProgram(async () => {
  const runner = await run({
    connectionString: required('DATABASE_URL'),
    concurrency: Number(required('LINES')),
    taskList: { [DIAL_QUEUE]: await dialJobs() },
  });
  await runner.promise;
});
