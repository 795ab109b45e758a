/** The part of Temporal's client that the API and the worker use, on a link that can fail. */
import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import { MessageLost, type SimulatedProcess } from '../world';
import type { TemporalServer } from './server';
import { AlreadyStarted } from './execution';

/** Number of consecutive workflow tasks that failed or timed out. */
interface Described {
  status: { name: string };
  raw: { pendingWorkflowTask: { attempt: number } | null };
}

interface StartOptions {
  workflowId: string;
  args?: unknown[];
  workflowTaskTimeout?: number;
  workflowIdReusePolicy?: string;
}

const payloads = (values: readonly unknown[]) => toPayloads(defaultPayloadConverter, ...values) ?? [];
const nameOf = (definition: unknown): string =>
  typeof definition === 'string' ? definition : (definition as { name: string }).name;

export function simulatedOrganization(server: TemporalServer, process: SimulatedProcess): Client {
  const ask = async <T>(work: () => T): Promise<T> => {
    try {
      return await server.world.exchange(process, 'temporal', () => {
        if (server.backInMs > 0) throw new MessageLost('temporal', 'refused');
        return work();
      });
    } catch (error) {
      if (error instanceof MessageLost) throw new ServiceError(`Temporal does not answer (${error.how})`);
      throw error;
    }
  };
  const start = (type: string, options: StartOptions): Promise<unknown> =>
    ask(() => {
      const { workflowId, args = [], workflowTaskTimeout = 0, workflowIdReusePolicy = '' } = options;
      try {
        const mayRepeat = !workflowIdReusePolicy.includes('REJECT_DUPLICATE');
        const request = { workflowId, type, input: payloads(args), taskTimeoutMs: workflowTaskTimeout };
        return server.start(request, mayRepeat);
      } catch (error) {
        if (!(error instanceof AlreadyStarted)) throw error;
        throw new WorkflowExecutionAlreadyStartedError('the workflow is already running', workflowId, type);
      }
    });
  const notFound = (workflowId: string) =>
    new WorkflowNotFoundError('no such workflow runs', workflowId, undefined);
  const getHandle = (workflowId: string) => ({
    signal: (name: unknown, ...args: unknown[]) =>
      ask(() => {
        if (!server.signal(workflowId, nameOf(name), payloads(args))) throw notFound(workflowId);
      }),
    cancel: () =>
      ask(() => {
        if (!server.cancel(workflowId)) throw notFound(workflowId);
      }),
    describe: () =>
      ask((): Described => {
        const run = server.find(workflowId);
        if (run === undefined) throw notFound(workflowId);
        const name = run.status === 'running' ? 'RUNNING' : 'COMPLETED';
        return { status: { name }, raw: { pendingWorkflowTask: run.task } };
      }),
  });
  async function* list(): AsyncGenerator<{ workflowId: string }> {
    const open = await ask(() => server.open().map(({ workflowId }) => ({ workflowId })));
    for (const each of open) yield each;
  }
  const client = {
    options: { namespace: 'default' },
    withDeadline: <T>(_deadline: number, work: () => Promise<T>) => work(),
    workflow: { start, getHandle, list },
  };
  return client as unknown as Client;
}
