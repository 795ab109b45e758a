/**
 * A dialler on graphile-worker as its documentation suggests one: a job for each contact, as many jobs at once as there are lines. The job
 * asks the carrier for the call, waits for its end, and sends the webhook; a job that fails is tried again. A process of its own.
 */
import { run } from 'graphile-worker';
import { callRequest } from '../call-request';
import { startEventsEndpoint } from '../events-endpoint';
import { post, required } from '../rival-program';
import { DIAL_TASK, isDialJob } from './job';

async function main(): Promise<void> {
  const carrierUrl = required('CARRIER_URL');
  const authorization = `Bearer ${required('CARRIER_SECRET')}`;
  const webhookUrl = required('JOB_QUEUE_WEBHOOK_URL');
  const waiting = new Map<string, () => void>();
  const endpoint = await startEventsEndpoint(
    (reference) => Promise.resolve(waiting.get(reference)?.()),
    Number(required('JOB_QUEUE_PORT')),
  );

  const runner = await run({
    connectionString: required('DATABASE_URL'),
    concurrency: Number(required('JOB_QUEUE_LINES')),
    taskList: {
      [DIAL_TASK]: async (payload, { job }) => {
        if (!isDialJob(payload)) throw new Error('not a job of this program');
        const { campaign, nth } = payload;
        // A carrier takes a new request for a new call, as most do.
        const reference = `${campaign}-${nth}-${job.attempts}`;
        const ended = new Promise<void>((resolve) => waiting.set(reference, resolve));
        await post(`${carrierUrl}/calls`, callRequest(nth, { reference, eventsUrl: endpoint.url }), {
          authorization,
        });
        await ended;
        waiting.delete(reference);
        await post(webhookUrl, {
          event: 'call.completed',
          campaign_id: campaign,
          call_id: `${campaign}-${nth}`,
        });
      },
    },
  });
  await runner.promise;
  await endpoint.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
