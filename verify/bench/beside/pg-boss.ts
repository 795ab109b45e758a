/** The dialler on pg-boss. */
import PgBoss from 'pg-boss';
import { DIAL_QUEUE, dialJobs } from './dial-job';
import { required, runProgram } from './rival-program';

/** The shortest interval that pg-boss allows. By default, a worker looks for a job every two seconds. */
const POLLING = { pollingIntervalSeconds: 0.5 };

runProgram(async () => {
  const boss = new PgBoss(required('DATABASE_URL'));
  boss.on('error', console.error);
  await boss.start();
  const runJob = await dialJobs();
  const lines = Number(required('LINES'));
  // A call of `work` adds a worker that runs one job at a time.
  for (let line = 0; line < lines; line += 1) {
    await boss.work(DIAL_QUEUE, POLLING, async ([job]) => runJob(job?.data));
  }
});
