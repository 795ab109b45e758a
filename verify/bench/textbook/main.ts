/** Runs the textbook program's worker in a separate process, so that its CPU time can be told apart from the benchmark's. */
import { NativeConnection, Worker } from '@temporalio/worker';
import { required, runProgram } from '../beside/rival-program';
import { textbookActivities } from './activities';
import { TEXTBOOK_TASK_QUEUE } from './workflows';

runProgram(async () => {
  const connection = await NativeConnection.connect({ address: required('TEMPORAL_ADDRESS') });
  const worker = await Worker.create({
    connection,
    taskQueue: TEXTBOOK_TASK_QUEUE,
    workflowsPath: require.resolve('./workflows'),
    activities: textbookActivities,
  });
  await worker.run();
  await connection.close();
});
