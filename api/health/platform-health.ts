import type { ApiDependencies } from '../dependencies';
import { livekit } from '../dependencies/livekit';
import { withOwnSignal, withTimeout } from '../../runtime/network/time-limit';
import { isReadOnly, sharedLook } from '../http/health-checks';
import type { LiveKitSettings } from '../settings';
import { reasonOf, up, type Part, type PartHealth } from './part-health';
import { workerHealth } from './worker-health';

type HealthDependencies = Pick<ApiDependencies, 'db' | 'temporal' | 'storage' | 'clock'> & {
  settings: Pick<ApiDependencies['settings'], 'livekit'>;
};

const ANSWER_WITHIN_MS = 1_500;
/** Limits how often the parts are checked, however many clients ask. */
const KEPT_FOR_MS = 5_000;
/** No such room exists, so LiveKit only looks it up. */
const NO_ROOM = 'health';

/** Checks the parts that all organizations share, concurrently. Omits parts that aren't configured or can't be checked. */
export class PlatformHealth {
  /** Never rejects. */
  readonly parts: () => Promise<PartHealth[]>;

  constructor(private readonly deps: HealthDependencies) {
    const now = (): number => deps.clock.now();
    this.parts = sharedLook(() => this.look(now()), { keptMs: KEPT_FOR_MS, now });
  }

  private async look(now: number): Promise<PartHealth[]> {
    const { db, temporal, storage, settings } = this.deps;
    const found = await Promise.all([
      asked('database', async () =>
        (await isReadOnly(db))
          ? { part: 'database', status: 'degraded', reason: 'read_only', since: null }
          : up('database'),
      ),
      asked('temporal', async () => {
        await temporal.check();
        return up('temporal');
      }),
      // Only Temporal knows if workers run, so they are omitted while it is down.
      workersSeen(() => temporal.workersSeenAt(), now),
      asked('storage', async (signal) => {
        await storage.check(signal);
        return up('storage');
      }),
      settings.livekit === null ? null : livekitHealth(settings.livekit),
    ]);
    return found.filter((part) => part !== null);
  }
}

async function asked(part: Part, ask: (signal: AbortSignal) => Promise<PartHealth>): Promise<PartHealth> {
  try {
    return await withOwnSignal(undefined, (signal) => withTimeout(ANSWER_WITHIN_MS, ask(signal)));
  } catch (error) {
    return { part, status: 'down', reason: reasonOf(error), since: null };
  }
}

async function workersSeen(seenAt: () => Promise<number | null>, now: number): Promise<PartHealth | null> {
  try {
    return workerHealth(await withTimeout(ANSWER_WITHIN_MS, seenAt()), now);
  } catch {
    return null;
  }
}

const livekitHealth = ({ url, apiKey, apiSecret }: LiveKitSettings): Promise<PartHealth> =>
  asked('livekit', async () => {
    const { RoomServiceClient } = livekit();
    const options = { requestTimeout: ANSWER_WITHIN_MS / 1000, failover: false };
    await new RoomServiceClient(url, apiKey, apiSecret, options).listRooms([NO_ROOM]);
    return up('livekit');
  });
