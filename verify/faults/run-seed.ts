/** Runs one seed: starts a platform, runs the plan and returns the verdict of the checker. */
import { chmodSync, mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../../dev/error-text';
import type { OnProgress } from '../../dev/progress';
import type { ReceiverEntry } from '../../dev/receiver/log';
import { startReceiver } from '../../dev/receiver/receiver';
import { removeFolder } from '../../dev/remove-folder';
import { ClosingOrder } from '../../dev/stack/closing';
import type { Environment } from '../../dev/stack/platform-environment';
import { repositoryRoot } from '../../dev/stack/repository';
import { check } from './checker';
import type { Verdict } from './checker/run';
import { createOrganizations } from './clients';
import { Course, openWorkflows, tablesOf } from './course';
import { Evidence } from './evidence';
import { Injector } from './injector';
import type { ProcessName } from './plan/faults';
import type { Plan } from './plan/plan';
import { type FaultStack, newFolderName, startFaultStack } from './stack/fault-stack';

/** Returns the status: `/ok` accepts all, `/flaky` rejects the first attempt of every other event, `/dead` rejects all. */
function answerOf({ path, event_id: eventId, attempt }: Omit<ReceiverEntry, 'status'>): number {
  switch (path) {
    case '/dead':
      return 500;
    case '/flaky':
      return (attempt ?? 1) === 1 && isRefused(eventId) ? 500 : 200;
    default:
      return 200;
  }
}

/** Decides by the last digit of the event id, so that every attempt of an event is treated the same. */
const isRefused = (eventId: string | null): boolean =>
  Number.parseInt(eventId?.slice(-1) ?? '0', 16) % 2 === 1;

interface SeedOptions {
  plan: Plan;
  environment: Environment;
  /** Reports progress. */
  say: (line: string) => void;
  onProgress: OnProgress;
  /** Keeps the evidence even if the run passes. */
  keep: boolean;
  /** SQL that plants a fault in the migrated database. */
  plantedSql?: readonly string[];
  /** Longest wait in ms after the last fault or the last progress, before the run is judged as it is. */
  drainedWithinMs?: number;
  signal?: AbortSignal;
}

/** Covers redials, reconciliation and the third attempt of a rejected webhook in sequence. */
const DRAINED_WITHIN_MS = 150_000;

export interface SeedResult {
  seed: number;
  verdict: Verdict;
  faults: number;
  durationS: number;
  /** Null if it was deleted. */
  evidenceFolder: string | null;
}

/** Rejects if the platform can't be started or controlled, because then there is no verdict. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const startedAt = performance.now();
  const folder = join(tmpdir(), newFolderName());
  mkdirSync(folder, { mode: 0o711 });
  chmodSync(folder, 0o711);
  const evidence = new Evidence(join(folder, 'evidence'));
  const closing = new ClosingOrder();
  let isPassed = false;
  try {
    const verdict = await execute(options, folder, evidence, closing);
    isPassed = verdict.invariants.every(({ violations }) => violations.length === 0);
    const isKept = !isPassed || options.keep;
    return {
      seed: options.plan.seed,
      verdict,
      faults: evidence.faults,
      durationS: (performance.now() - startedAt) / 1000,
      evidenceFolder: isKept ? keptFolder(folder) : null,
    };
  } catch (error) {
    throw new Error(`${errorText(error)}\n(evidence: ${keptFolder(folder)})`, { cause: error });
  } finally {
    await closing.close().catch((error: unknown) => options.say(errorText(error)));
    if (!isPassed || options.keep) await rename(evidence.folder, keptFolder(folder));
    await removeFolder(folder);
  }
}

const keptFolder = (folder: string): string => `${folder}-evidence`;

async function execute(
  options: SeedOptions,
  folder: string,
  evidence: Evidence,
  closing: ClosingOrder,
): Promise<Verdict> {
  const { plan, environment, onProgress, say, signal } = options;
  const secrets: string[] = [];
  const receiver = await startReceiver({
    port: 0,
    logPath: evidence.receiverLog,
    secrets: () => secrets,
    answer: answerOf,
  });
  closing.add('the receiver', () => receiver.close());
  let injector: Injector | null = null;
  const stack = await startFaultStack({
    plan,
    folder,
    repository: repositoryRoot(),
    environment,
    evidence,
    receiverPort: Number(new URL(receiver.url).port),
    closing,
    onProgress,
    plantedSql: options.plantedSql ?? [],
    onUnexpectedEnd: (ended, reason) => injector?.startAgain(nameOf(stack, ended), reason),
  });
  injector = new Injector(stack, evidence, say);
  const running = injector;
  closing.add('the faults', () => Promise.resolve(running.close()));
  const organizations = await createOrganizations(stack, plan.organizations, evidence);
  secrets.push(...organizations.map(({ secret }) => secret));
  const drainedWithinMs = options.drainedWithinMs ?? DRAINED_WITHIN_MS;
  const course = new Course({
    plan,
    stack,
    organizations,
    evidence,
    injector,
    say,
    drainedWithinMs,
    signal,
  });
  await course.run();
  // The receiver and the carrier write their last log lines shortly after the rows are final.
  await delay(300);
  evidence.complete(stack.databaseUrl, plan, await openWorkflows(stack.temporalAddress));
  evidence.write('tables', await tablesOf(stack.databaseUrl));
  const verdict = await check(evidence.folder);
  evidence.write('verdict', verdict);
  return verdict;
}

function nameOf(stack: FaultStack, ended: unknown): ProcessName {
  for (const [name, process] of stack.processes) if (process === ended) return name;
  throw new Error('a process of another run ended');
}
