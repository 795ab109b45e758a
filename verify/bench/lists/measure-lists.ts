/** Seeds databases of both sizes, then reads each list from them alternately, so that other load affects both. */
import { ClosingOrder } from '../../../dev/stack/closing';
import { MAX_COUNTED } from '../../../domain/count-limits';
import type { BareRun } from '../bare-servers';
import { percentile } from '../percentile';
import { unlessAborted } from '../unless-aborted';
import { CALL_HISTORY, KINDS, otherReads, readBare, type ListKind, type OtherRead } from './list-kinds';
import { ask } from './ask';
import { measurePages, type PageLoad } from './console-pages';
import { measureDialPath, type DialPath } from './dial-path';
import { startListServers, type Place } from './list-servers';
import type { ListSizes } from './seed';

/** 95th percentiles in milliseconds. */
export interface ListTimes {
  overHttpMs: number;
  sqlMs: number;
  /** Null if there is nothing to compare with. */
  bareMs: number | null;
}

export type PagePosition = 'first' | 'middle' | 'last';

export interface PageTimes {
  kind: ListKind;
  position: PagePosition;
  small: ListTimes;
  large: ListTimes;
}

export interface OtherTimes {
  name: string;
  /** True if the total is counted, which takes longer the more rows match. */
  isCounted: boolean;
  small: ListTimes;
  large: ListTimes;
}

export interface ListsMeasurement {
  small: ListSizes;
  large: ListSizes;
  pages: PageTimes[];
  others: OtherTimes[];
  consolePages: PageLoad[];
  dialPath: DialPath;
  postgresVersion: string;
}

const SMALL: ListSizes = {
  calls: 100_000,
  agents: 100,
  campaigns: 100,
  contacts: 100,
  deliveries: 10_000,
  audit: 10_000,
};
const LARGE: ListSizes = {
  calls: 3_000_000,
  agents: 10_000,
  campaigns: 10_000,
  contacts: 10_000,
  deliveries: 100_000,
  audit: 1_000_000,
};

/** Takes about six minutes, most of which it spends writing three million calls. */
export async function measureLists(run: BareRun): Promise<ListsMeasurement> {
  const closing = new ClosingOrder();
  const given = new AbortController();
  const signal = AbortSignal.any([run.signal, given.signal]);
  try {
    run.say(`Lists: databases with ${words(SMALL)}, and with ${words(LARGE)}.`);
    const measured = startListServers({
      environment: run.environment,
      sizes: [SMALL, LARGE],
      onProgress: run.onProgress,
      onUnexpectedEnd: (reason) => given.abort(new Error(reason)),
      closing,
    }).then(async ({ places: [small, large], postgresVersion }) => {
      if (small === undefined || large === undefined) throw new Error('a database is missing');
      run.say('Lists: reading pages of both in turn.');
      const pages = await pagesOf(small, large, signal);
      const others = await othersOf(small, large, signal);
      const dialPath = await measureDialPath(small, large, signal);
      const consolePages = await measurePages(large, signal);
      return { small: SMALL, large: LARGE, pages, others, consolePages, dialPath, postgresVersion };
    });
    return await unlessAborted(measured, signal);
  } finally {
    await closing.close();
  }
}

const words = (sizes: ListSizes): string =>
  `${count(sizes.calls)} calls, ${count(sizes.agents)} agents and ${count(sizes.campaigns)} campaigns`;

export const count = (n: number): string => n.toLocaleString('en');

async function pagesOf(small: Place, large: Place, signal: AbortSignal): Promise<PageTimes[]> {
  const pages: PageTimes[] = [];
  for (const kind of KINDS) {
    // Postgres scans to a middle page in the same way in every list, so one list is enough.
    const positions: PagePosition[] = kind === CALL_HISTORY ? ['first', 'middle', 'last'] : ['first', 'last'];
    for (const position of positions) {
      const pageOf = (place: Place) => pageNumber(position, kind, place.sizes);
      const overHttp = await p95Of([small, large], signal, (place) =>
        ask(place, `${kind.path}?page=${pageOf(place)}&page_size=${kind.pageSize}`),
      );
      const offsetOf = (place: Place) => ({
        limit: kind.pageSize,
        offset: (pageOf(place) - 1) * kind.pageSize,
      });
      const sql = await p95Of([small, large], signal, (place) => kind.read(place, offsetOf(place)));
      const bare =
        kind.bare === null
          ? null
          : await p95Of([small, large], signal, (place) => readBare(place, kind, offsetOf(place)));
      const timesOf = (n: 0 | 1): ListTimes => ({
        overHttpMs: overHttp[n] ?? NaN,
        sqlMs: sql[n] ?? NaN,
        bareMs: bare === null ? null : (bare[n] ?? NaN),
      });
      pages.push({ kind, position, small: timesOf(0), large: timesOf(1) });
    }
  }
  return pages;
}

/** The API rejects pages that begin after `MAX_COUNTED` rows, so this is the last page that it serves. */
function pageNumber(position: PagePosition, kind: ListKind, sizes: ListSizes): number {
  const pages = Math.ceil(Math.min(kind.length(sizes), MAX_COUNTED) / kind.pageSize);
  if (position === 'first') return 1;
  return position === 'last' ? pages : Math.ceil(pages / 2);
}

async function othersOf(small: Place, large: Place, signal: AbortSignal): Promise<OtherTimes[]> {
  const others: OtherTimes[] = [];
  for (const other of otherReads(Date.now())) others.push(await otherTimes([small, large], signal, other));
  return others;
}

async function otherTimes(
  places: readonly Place[],
  signal: AbortSignal,
  { name, isCounted, path, read }: OtherRead,
): Promise<OtherTimes> {
  const overHttp = await p95Of(places, signal, (place) => ask(place, path));
  const sql = await p95Of(places, signal, read);
  const timesOf = (n: 0 | 1): ListTimes => ({
    overHttpMs: overHttp[n] ?? NaN,
    sqlMs: sql[n] ?? NaN,
    bareMs: null,
  });
  return { name, isCounted, small: timesOf(0), large: timesOf(1) };
}

/** The warm-up and the measurement end at whichever limit is reached first, but not before five rounds. */
const WARM_UP = { rounds: 10, ms: 300 };
const MEASURED = { rounds: 100, ms: 2_000 };
const MIN_ROUNDS = 5;

/** Runs one read at a time, alternating between the databases. Returns the results in the order of the databases. */
async function p95Of(
  places: readonly Place[],
  signal: AbortSignal,
  read: (place: Place) => Promise<unknown>,
): Promise<number[]> {
  const rounds = async (max: { rounds: number; ms: number }, min: number) => {
    const timesMs = places.map((): number[] => []);
    const endsAt = performance.now() + max.ms;
    for (let round = 0; round < max.rounds; round++) {
      if (round >= min && performance.now() > endsAt) break;
      for (const [n, place] of places.entries()) {
        signal.throwIfAborted();
        const startedAt = performance.now();
        await read(place);
        timesMs[n]?.push(performance.now() - startedAt);
      }
    }
    return timesMs;
  };
  await rounds(WARM_UP, 1);
  return (await rounds(MEASURED, MIN_ROUNDS)).map((timesMs) => percentile(timesMs, 0.95));
}
