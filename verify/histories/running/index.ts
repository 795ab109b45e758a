/** Replays the open workflows of a Temporal server with this build, before the build is deployed. */
import { Client, Connection, type HistoryAndWorkflowId } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { errorText } from '../../../dev/error-text';
import { temporalAccess, temporalProfileIn } from '../../../runtime/temporal-access';
import { TASK_QUEUE } from '../../../workflows/contract';
import { fetchHistory, type History } from '../fetch-history';

let installed = false;

/**
 * Silences the SDK in a process that replays, because a failed replay is a result that needs no log. Removes the SDK's signal handlers,
 * because they would make an interrupted replay look complete.
 */
export function installSilentRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'error', forward: {} } },
    shutdownSignals: [],
  });
}

/** Temporal is unreachable or rejected the request. The message is a single line that names the server. */
class TemporalFault extends Error {
  override readonly name = 'TemporalFault';
}

interface OpenTemporal {
  client: Client;
  /** For example `namespace default at localhost:7233`. */
  named: string;
  /** Sends the request and converts a failure to a `TemporalFault`. */
  send: <T>(request: () => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

async function openTemporal(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenTemporal> {
  const temporal = temporalProfileIn(environment);
  const { address, namespace } = temporal;
  const access = temporalAccess(temporal);
  const named = `namespace ${namespace} at ${address}`;
  const send = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw new TemporalFault(`Temporal (${named}) gave no answer: ${reasonOf(error)}`, { cause: error });
    }
  };
  const connection = await send(() => Connection.connect(access));
  return {
    client: new Client({ connection, namespace }),
    named,
    send,
    close: () => connection.close(),
  };
}

/** The SDK's message describes what it did. Its cause has the message of the server or the network. */
function reasonOf(error: unknown): string {
  const said = errorText(error instanceof Error && error.cause !== undefined ? error.cause : error);
  return said.split('\n', 1)[0] ?? '';
}

/** Finds the workflows that are open when a new version is deployed. */
interface OpenWorkflow {
  workflowId: string;
  type: string;
  history: History;
}

/** Selects by task queue because only our workers poll it. This also finds workflows of a type that the build lacks. */
const QUERY = `TaskQueue = '${TASK_QUEUE}' AND ExecutionStatus = 'Running'`;

/** Returns Temporal Visibility's current count. */
async function countOpen({ client, send }: OpenTemporal): Promise<number> {
  return (await send(() => client.workflow.count(QUERY))).count;
}

/** Fetches each history only after the previous one was handled, so that memory holds only one. */
async function* openWorkflows({ client, send }: OpenTemporal): AsyncGenerator<OpenWorkflow> {
  const listed = client.workflow.list({ query: QUERY })[Symbol.asyncIterator]();
  for (;;) {
    const next = await send(() => listed.next());
    if (next.done === true) return;
    const { workflowId, runId, type } = next.value;
    const history = await send(() => fetchHistory(client.workflow, workflowId, runId));
    // If null, the workflow has ended and was deleted since it was listed.
    if (history !== null && hasBegun(history)) yield { workflowId, type, history };
  }
}

/**
 * Returns false for a run that waits for its first workflow task, which takes up to a second after a continue-as-new. It has nothing to
 * replay, and the SDK would wait forever.
 */
export const hasBegun = ({ events }: History): boolean =>
  events?.some((event) => event.workflowTaskScheduledEventAttributes) === true;

interface Replayed {
  workflowId: string;
  type: string;
  /** First line of the replay error; null if the workflow replays. */
  fault: string | null;
}

/** Replays the workflows with the bundle, in order. Takes the next workflow from the iterable after each result. */
async function* replayed(
  workflowBundle: WorkflowBundleOption,
  workflows: AsyncIterable<OpenWorkflow>,
): AsyncGenerator<Replayed> {
  installSilentRuntime();
  const types = new Map<string, string>();
  let isComplete = false;
  async function* histories(): AsyncGenerator<HistoryAndWorkflowId> {
    for await (const { workflowId, type, history } of workflows) {
      types.clear();
      types.set(workflowId, type);
      yield { workflowId, history };
    }
    isComplete = true;
  }
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories())) {
    yield {
      workflowId,
      type: types.get(workflowId) ?? '',
      fault: error === undefined ? null : firstLine(error),
    };
  }
  // If a replay is shut down, it ends without an error.
  if (!isComplete) throw new Error('the replay ended before all workflows were replayed');
}

/** Drops the text that the SDK adds to all such errors. */
function firstLine({ message }: Error): string {
  const [, details = message] = /Details: ([^]*)/.exec(message) ?? [];
  return details.trim().split('\n', 1)[0] ?? '';
}

/** Prints the replay of open workflows: progress, each workflow that breaks as soon as it is found, and the counts at the end. */
interface Streams {
  out: NodeJS.WritableStream;
  /** Shows progress: one redrawn line on a terminal, or an occasional line elsewhere. */
  err: NodeJS.WritableStream & { isTTY?: boolean };
}

const REDRAWN_EVERY_MS = 200;
const PRINTED_EVERY_MS = 15_000;

interface Counts {
  replay: number;
  wouldBreak: number;
}

class ReplayReport {
  private readonly types = new Map<string, Counts>();
  private readonly startedAt = performance.now();
  private progressAt = this.startedAt;

  constructor(
    private readonly streams: Streams,
    /** Number of workflows at the start. Workflows may start and end during the replay. */
    private readonly expected: number,
  ) {}

  /** Number of workflows found so far that would break. */
  get broken(): number {
    return this.sumOf('wouldBreak');
  }

  add({ workflowId, type, fault }: Replayed): void {
    const counts = this.types.get(type) ?? { replay: 0, wouldBreak: 0 };
    this.types.set(type, counts);
    counts[fault === null ? 'replay' : 'wouldBreak']++;
    if (fault !== null) this.print(`${workflowId} (${type}) would break: ${fault}`);
    this.showProgress();
  }

  end(): void {
    for (const [type, { replay, wouldBreak }] of [...this.types].sort(([one], [other]) =>
      one.localeCompare(other),
    )) {
      this.print(`${type}: ${replay} replay, ${wouldBreak} would break`);
    }
    const all = this.broken + this.sumOf('replay');
    if (all === 0) this.print('No workflow is open.');
    else this.print(this.broken === 0 ? `All ${all} replay.` : `${this.broken} of ${all} would break.`);
  }

  private sumOf(what: keyof Counts): number {
    return [...this.types.values()].reduce((sum, counts) => sum + counts[what], 0);
  }

  private print(line: string): void {
    if (this.streams.err.isTTY === true) this.streams.err.write('\r\x1b[K');
    this.streams.out.write(`${line}\n`);
  }

  private showProgress(): void {
    const { err } = this.streams;
    const isTerminal = err.isTTY === true;
    const now = performance.now();
    if (now - this.progressAt < (isTerminal ? REDRAWN_EVERY_MS : PRINTED_EVERY_MS)) return;
    this.progressAt = now;
    const seconds = Math.round((now - this.startedAt) / 1000);
    const line = `replayed ${this.broken + this.sumOf('replay')} of about ${this.expected} … ${seconds} s`;
    err.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
  }
}

interface RunningOptions {
  environment: Readonly<Record<string, string | undefined>>;
  workflowBundle: WorkflowBundleOption;
  streams: Streams;
}

/** Returns true if all of them replay. Throws a `TemporalFault` if Temporal doesn't respond. */
export async function replayRunning({
  environment,
  workflowBundle,
  streams,
}: RunningOptions): Promise<boolean> {
  const temporal = await openTemporal(environment);
  try {
    const expected = await countOpen(temporal);
    streams.err.write(`Replaying about ${expected} open workflows of ${temporal.named} with this build\n`);
    const report = new ReplayReport(streams, expected);
    for await (const workflow of replayed(workflowBundle, openWorkflows(temporal))) report.add(workflow);
    report.end();
    return report.broken === 0;
  } finally {
    await temporal.close();
  }
}
