/** Receives the carrier's events for the textbook program and signals the workflow of each call that ends. */
import { Client, Connection } from '@temporalio/client';
import { required, runProgram, startEventsEndpoint } from '../beside/rival-program';
import { endedSignal } from './workflows';

runProgram(async () => {
  const client = new Client({
    connection: await Connection.connect({ address: required('TEMPORAL_ADDRESS') }),
  });
  await startEventsEndpoint((reference) => client.workflow.getHandle(reference).signal(endedSignal));
});
