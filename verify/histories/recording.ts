/** Reads histories from Temporal and writes them to files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowClient } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { workflowId } from '../../workflows/contract';
import { eventually } from './customer';
import { fetchHistory, fetchRuns, hasDoneTask, type History } from './fetch-history';

/** Process id and host, as they appear in the names of workers and of sticky queues. */
const PROCESS = /\d+@[\w.-]+/g;

/** Removes identities and stack traces, because replays don't need them. */
function withoutMachine(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return '';
  return typeof value === 'string' ? value.replace(PROCESS, 'recorder') : value;
}

export function historyText(history: History): string {
  const read: unknown = JSON.parse(historyToJSON(history), withoutMachine);
  if (typeof read !== 'object' || read === null || !('events' in read) || !Array.isArray(read.events)) {
    throw new Error('the history has no events');
  }
  const lines = read.events.map((event: unknown) => JSON.stringify(event));
  return `{"events":[\n${lines.join(',\n')}\n]}\n`;
}

/** Returns the ids of all children of a workflow over all its runs, in order. */
async function childrenOf(client: WorkflowClient, id: string): Promise<string[]> {
  const events = (await fetchRuns(client, id)).flatMap((run) => run.events ?? []);
  return events.flatMap(
    (event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId ?? [],
  );
}

/** Returns the workflow of a call other than `talking`, even if that call is never dialled. */
export function otherCall(client: WorkflowClient, campaignId: string, talking: string): Promise<string> {
  return eventually('another call of a campaign', async () => {
    const children = await childrenOf(client, workflowId.campaign(campaignId));
    return children.findLast((id) => id !== workflowId.call(talking)) ?? null;
  });
}

/** Returns the workflow that delivers the event about the campaign's end. */
export function deliveryOf(client: WorkflowClient, campaignId: string): Promise<string> {
  return eventually('a delivery of a campaign', async () => {
    const children = await childrenOf(client, workflowId.campaign(campaignId));
    return children.find((id) => id.startsWith(workflowId.delivery(''))) ?? null;
  });
}

/** Returns the workflow of the callback that the callee of a dispatched call requested. */
export function callbackOf(client: WorkflowClient, callId: string): Promise<string> {
  return eventually('a callback', async () => {
    const [callback] = await childrenOf(client, workflowId.call(callId));
    return callback ?? null;
  });
}

export class Recording {
  readonly names: string[] = [];

  constructor(
    private readonly client: WorkflowClient,
    private readonly folder: string,
  ) {}

  /**
   * Saves the current history (of the newest run by default) once the run has completed a workflow task. The SDK never finishes the replay
   * of a history without one.
   */
  async keep(name: string, workflowId: string, runId?: string): Promise<void> {
    const history = await eventually(`the first task of ${workflowId}`, async () => {
      const current = await this.client.getHandle(workflowId, runId).fetchHistory();
      return hasDoneTask(current.events ?? []) ? current : null;
    });
    await this.write(name, history);
  }

  /** Saves the complete history once the workflow has closed. */
  async keepClosed(name: string, workflowId: string): Promise<void> {
    await this.untilClosed(workflowId);
    await this.keep(name, workflowId);
  }

  /** Waits until a workflow that continues as new has closed, then saves each of its runs as `<name>-run-1` and so on. */
  async keepRuns(name: string, workflowId: string): Promise<void> {
    await this.untilClosed(workflowId);
    const runs = await fetchRuns(this.client, workflowId);
    for (const [index, run] of runs.entries()) await this.write(`${name}-run-${index + 1}`, run);
  }

  /** Waits until the history contains an event with this text. */
  async untilSeen(workflowId: string, text: string): Promise<void> {
    await eventually(`${text} in ${workflowId}`, async () => {
      // The row is created before its workflow.
      const history = await fetchHistory(this.client, workflowId);
      return history !== null && historyText(history).includes(text) ? true : null;
    });
  }

  /** Rejects a name that is already used in the recording. */
  private async write(name: string, history: History): Promise<void> {
    if (this.names.includes(name)) throw new Error(`${name} is recorded twice`);
    this.names.push(name);
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, `${name}.json`), historyText(history));
  }

  private async untilClosed(workflowId: string): Promise<void> {
    await eventually(`the end of ${workflowId}`, async () => {
      const { status } = await this.client.getHandle(workflowId).describe();
      return status.name === 'RUNNING' ? null : true;
    });
  }
}
