import { valueAt } from '../../domain/json';

/** Returns the carrier's current number of live calls. */
export async function liveCalls(carrierUrl: string): Promise<number> {
  const stats: unknown = await (await fetch(`${carrierUrl}/stats`)).json();
  const live = valueAt(stats, 'live');
  if (typeof live !== 'number') throw new Error('the carrier does not report its live calls');
  return live;
}
