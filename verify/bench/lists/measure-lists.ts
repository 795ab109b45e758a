/** Seeds databases of both sizes, then reads each list from them alternately, so that other load affects both. */
import { openDatabase, type Db } from '../../../db/kernel/connection';
import { onlyRow } from '../../../db/kernel/query';
import { createOrganization } from '../../../dev/demo/organization';
import { during } from '../../../dev/progress';
import { ClosingOrder } from '../../../dev/stack/closing';
import { MAX_COUNTED } from '../../../domain/count-limits';
import {
  startBareServers,
  unlessAborted,
  type BareRun,
  type BareServers,
  type BareServersOptions,
} from '../bare-servers';
import { figure, percentile, type Figure } from '../figure';
import { CALL_HISTORY, KINDS, otherReads, type ListKind, type Place } from './list-kinds';
import { seedLists, type ListSizes } from './seed';

interface ListsMeasurement {
  figures: Figure[];
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

/** Longer than the slowest seeding statement. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** Spends most of its time on writing three million calls. */
export async function measureLists(run: BareRun): Promise<ListsMeasurement> {
  const closing = new ClosingOrder();
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const onUnexpectedEnd = (reason: string): void => failed.abort(new Error(reason));
  try {
    return await unlessAborted(measure({ ...run, signal }, { ...run, onUnexpectedEnd, closing }), signal);
  } finally {
    await closing.close();
  }
}

async function measure(run: BareRun, options: BareServersOptions): Promise<ListsMeasurement> {
  const said = [SMALL, LARGE].map(
    ({ calls, agents, campaigns }) =>
      `${count(calls)} calls, ${count(agents)} agents and ${count(campaigns)} campaigns`,
  );
  run.say(`Lists: databases with ${said.join(', and with ')}.`);
  const servers = await startBareServers(options);
  const places = [
    await openPlace(servers, SMALL, options),
    await openPlace(servers, LARGE, options),
  ] as const;
  run.say('Lists: reading pages of both in turn.');
  const { postgresVersion } = await onlyRow<{ postgresVersion: string }>(
    places[0].db,
    `select current_setting('server_version') as "postgresVersion"`,
  );
  const figures: Figure[] = [];
  for (const kind of KINDS) {
    // Postgres scans to a middle page in the same way in every list, so one list is enough.
    const positions: PagePosition[] = kind === CALL_HISTORY ? ['first', 'middle', 'last'] : ['first', 'last'];
    for (const position of positions) {
      const pageOf = ({ sizes }: Place) => pageNumber(position, kind, sizes);
      const path = (place: Place) => `${kind.path}?page=${pageOf(place)}&page_size=${kind.pageSize}`;
      const read = (place: Place) =>
        kind.read(place, { limit: kind.pageSize, offset: (pageOf(place) - 1) * kind.pageSize });
      figures.push(
        ...(await growthOf(places, run.signal, {
          name: `${kind.name}, ${PAGE_NAMES[position]}`,
          length: kind.length,
          path,
          read,
          goal: MAX_GROWTH[position],
        })),
      );
    }
  }
  for (const { name, isCounted, path, read } of otherReads(Date.now())) {
    figures.push(
      ...(await growthOf(places, run.signal, {
        name,
        length: ({ calls }) => calls,
        path: () => path,
        read,
        goal: isCounted ? null : MAX_GROWTH.first,
      })),
    );
  }
  return { figures, postgresVersion };
}

async function openPlace(
  servers: BareServers,
  sizes: ListSizes,
  { closing, onProgress }: BareServersOptions,
): Promise<Place> {
  const name = `lists_${sizes.calls}`;
  const databaseUrl = await servers.createDatabase(name);
  const { secretsKey } = servers.secrets;
  const { key } = await createOrganization({ databaseUrl, secretsKey, name, lines: 10 });
  const db: Db = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench',
  });
  closing.add('the connection', () => db.destroy());
  const { id: organizationId } = await onlyRow<{ id: string }>(db, 'select id from organizations');
  await during(onProgress, `writing ${count(sizes.calls)} calls`, () => seedLists(db, organizationId, sizes));
  const { url: apiUrl } = await servers.startApi({ name, databaseUrl });
  return { sizes, organizationId, db, apiUrl, key };
}

const count = (n: number): string => n.toLocaleString('en');

type PagePosition = 'first' | 'middle' | 'last';

const PAGE_NAMES: Record<PagePosition, string> = {
  first: 'page 1',
  middle: 'middle page',
  last: 'last page',
};

/** Allowed growth from the smaller to the larger size. A middle page has no goal, because Postgres must scan to it. */
const MAX_GROWTH: Record<PagePosition, number | null> = { first: 1.3, middle: null, last: 5 };

/** The API rejects pages that begin after `MAX_COUNTED` rows, so this is the last page that it serves. */
function pageNumber(position: PagePosition, kind: ListKind, sizes: ListSizes): number {
  const pages = Math.ceil(Math.min(kind.length(sizes), MAX_COUNTED) / kind.pageSize);
  if (position === 'first') return 1;
  return position === 'last' ? pages : Math.ceil(pages / 2);
}

interface MeasuredRead {
  name: string;
  length: (sizes: ListSizes) => number;
  path: (place: Place) => string;
  read: (place: Place) => Promise<unknown>;
  goal: number | null;
}

/** Returns 95th percentiles over HTTP and of the SQL alone, and the growth over HTTP. */
async function growthOf(
  places: readonly [Place, Place],
  signal: AbortSignal,
  { name, length, path, read, goal }: MeasuredRead,
): Promise<Figure[]> {
  const overHttp = await p95Of(places, signal, (place) => get(place, path(place)));
  const sql = await p95Of(places, signal, read);
  return [
    ...places.flatMap(({ sizes }, nth) => [
      figure(`${name} of ${count(length(sizes))}`, overHttp[nth] ?? NaN, 'ms'),
      figure('  its SQL', sql[nth] ?? NaN, 'ms'),
    ]),
    figure('  growth', (overHttp[1] ?? NaN) / (overHttp[0] ?? NaN), 'x', goal),
  ];
}

/** @throws Error if the status is not 2xx */
async function get({ apiUrl, key }: Place, path: string): Promise<void> {
  const response = await fetch(`${apiUrl}${path}`, {
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(10_000),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${body.slice(0, 500)}`);
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
