/** Runs the textbook program's worker in a separate process, so that its CPU time can be told apart from the benchmark's. */
import { NativeConnection, Worker } from '@temporalio/worker';
import { required, textbookActivities } from './activities';
import { TEXTBOOK_TASK_QUEUE } from './workflows';

async function main(): Promise<void> {
  const connection = await NativeConnection.connect({ address: required('TEMPORAL_ADDRESS') });
  const worker = await Worker.create({
    connection,
    taskQueue: TEXTBOOK_TASK_QUEUE,
    workflowsPath: require.resolve('./workflows'),
    activities: textbookActivities({
      carrierUrl: required('CARRIER_URL'),
      carrierSecret: required('CARRIER_SECRET'),
      eventsUrl: required('TEXTBOOK_EVENTS_URL'),
      webhookUrl: required('TEXTBOOK_WEBHOOK_URL'),
    }),
  });
  await worker.run();
  await connection.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
