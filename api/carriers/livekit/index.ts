import type Router from '@koa/router';
import type { ApiState } from '../../http/context';
import type { LiveKitSettings } from '../../settings';
import type { CarrierEventDependencies } from '../http/receive-event';
import { RoomEvents } from './handle-event';
import type { RoomEventDependencies } from './rooms';

interface LiveKitEvents {
  routes: Router<ApiState>[];
  /** Waits for deferred events. Call it after the last request. */
  close(): Promise<void>;
}

/** Returns no routes if LiveKit isn't configured, and doesn't load its packages then. */
export async function livekitEvents(
  settings: LiveKitSettings | null,
  deps: Pick<CarrierEventDependencies, 'db' | 'clock' | 'log'> & Pick<RoomEventDependencies, 'receive'>,
): Promise<LiveKitEvents> {
  if (settings === null) return { routes: [], close: () => Promise.resolve() };
  const [{ livekitRooms }, { livekitEventRoutes }] = await Promise.all([
    import('./rooms.js'),
    import('./routes.js'),
  ]);
  const events = new RoomEvents({ ...deps, rooms: livekitRooms(settings) });
  return {
    routes: [livekitEventRoutes({ events, clock: deps.clock }, settings)],
    close: () => events.close(),
  };
}
