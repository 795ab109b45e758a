/** Outages: periods in which a process was dead or not ready, or a connection was cut. */
import type { Evidence } from './evidence';
import { msOf } from './instant';

export interface Outage {
  what: string;
  /** `lossy`: everything is reachable, but responses get lost. */
  kind: 'unreachable' | 'lossy';
  fromMs: number;
  /** Infinite if the outage never ended. */
  untilMs: number;
  /** When recovery began, which for a process is its start command. Equals `untilMs` for a connection. */
  backFromMs: number;
}

/** Matches descriptions of faults that make something unreachable. Shifted clocks and repeated events don't. */
const IS_UNREACHABLE = /kill|crash|cut|down|stop|freez|partition|outage|unreachable|stalled|starved|locked/i;
const IS_LOSSY = /lose|lost/i;

export function outagesOf({ restarts, faults }: Pick<Evidence, 'restarts' | 'faults'>): Outage[] {
  const killed = restarts.map(({ process, killed_at, started_at, ready_at }) => ({
    what: process,
    kind: 'unreachable' as const,
    fromMs: msOf(killed_at),
    untilMs: ready_at === null ? Infinity : msOf(ready_at),
    backFromMs: started_at === null ? Infinity : msOf(started_at),
  }));
  const cut = faults
    .filter(({ fault }) => IS_UNREACHABLE.test(fault) || IS_LOSSY.test(fault))
    .map(({ fault, target, at, until }) => ({
      kind: IS_UNREACHABLE.test(fault) ? ('unreachable' as const) : ('lossy' as const),
      what: target === null || target === undefined ? fault : `${fault} ${target}`,
      fromMs: msOf(at),
      untilMs: msOf(until ?? at),
      backFromMs: msOf(until ?? at),
    }));
  return [...killed, ...cut].sort((one, other) => one.fromMs - other.fromMs);
}

export function outageBetween(
  outages: readonly Outage[],
  fromMs: number,
  untilMs: number,
): Outage | undefined {
  return outages.find((outage) => outage.fromMs <= untilMs && outage.untilMs >= fromMs);
}
