/** Reads histories from Temporal and writes them to files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowClient } from '@temporalio/client';
import { eventually } from './eventually';
import { fetchHistory, fetchRuns, hasDoneTask, type History } from './fetch-history';
import { historyText } from './history-file';

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
