/** Sends the cases concurrently, and collects faults and counts. */
import fc from 'fast-check';
import type { CheckAnswer } from '../support/openapi-answers';
import type { Operation } from '../support/operations';
import { draftsOf, type Draft } from './requests';
import type { SchemaValues } from './schema-values';
import { curlOf, Wire, type WireAnswer, type WireRequest } from './wire';
import type { World } from './world';

export interface Case {
  operation: string;
  draft: Draft;
}

/** Generates the same cases for the same seed and takes the operations in turn. */
export function casesOf(
  operations: readonly Operation[],
  values: SchemaValues,
  { seed, cases }: { seed: number; cases: number },
): Case[] {
  const each = Math.ceil(cases / operations.length);
  const perOperation = operations.map((operation, index) => ({
    operation: operation.name,
    drafts: fc.sample(draftsOf(operation, values), { seed: seed + index, numRuns: each }),
  }));
  const inTurns = Array.from({ length: each }, (_each, turn) =>
    perOperation.map(({ operation, drafts }) => ({ operation, draft: drafts[turn] as Draft })),
  );
  return inTurns.flat().slice(0, cases);
}

export interface Tally {
  cases: number;
  byStatus: Record<number, number>;
  /** Counts of responses by status for each operation. */
  byOperation: Record<string, Record<number, number>>;
  faults: string[];
}

export interface Course {
  url: string;
  world: World;
  check: CheckAnswer;
  connections: number;
}

/** A slower response is a fault. The limit is far above the three seconds that a dial may take to resolve. */
const ANSWERED_WITHIN_MS = 20_000;
const MAX_FAULTS = 25;

export async function run(
  cases: readonly Case[],
  { url, world, check, connections }: Course,
): Promise<Tally> {
  const wire = new Wire(url, { connections });
  const tally: Tally = { cases: 0, byStatus: {}, byOperation: {}, faults: [] };
  const waiting = cases.values();
  const one = async ({ operation, draft }: Case): Promise<void> => {
    const asked = draft(world);
    const faults = await judged(asked);
    for (const fault of faults.slice(0, 1))
      tally.faults.push(`${operation}: ${fault}\n  ${curlOf(url, asked).slice(0, 4000)}`);

    async function judged(request: WireRequest): Promise<string[]> {
      try {
        const answer = await wire.send(request, ANSWERED_WITHIN_MS);
        count(tally, operation, answer.status);
        if (answer.status < 300 && request.method === operation.split(' ')[0]) world.learn(operation, answer);
        return faultsOf(check, request, answer);
      } catch (error) {
        return [`no answer: ${String(error)}`];
      }
    }
  };
  // The concurrent loops share one iterator, so each takes the next case as soon as it is free.
  const lane = async () => {
    for (const each of waiting) {
      if (tally.faults.length >= MAX_FAULTS) return;
      await one(each);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  wire.close();
  return tally;
}

function count(tally: Tally, operation: string, status: number): void {
  tally.cases += 1;
  tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1;
  const own = (tally.byOperation[operation] ??= {});
  own[status] = (own[status] ?? 0) + 1;
}

export function faultsOf(check: CheckAnswer, { method, path }: WireRequest, answer: WireAnswer): string[] {
  const { status, headers, text } = answer;
  const contentType = headers['content-type'] ?? null;
  const isJson = contentType?.startsWith('application/json') === true && method !== 'HEAD';
  const body: unknown = isJson ? parsed(text) : text;
  const faults = check(method, path, status, contentType, body);
  if (status >= 500) faults.unshift(`a ${status}: ${text.slice(0, 300)}`);
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('without security headers');
  if (headers['x-powered-by'] !== undefined) faults.push('with X-Powered-By');
  if (!/^[\w-]{1,64}$/.test(String(headers['x-request-id']))) faults.push('without a request id');
  return faults.map((fault) => `${status} ${fault}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
