import { Registry } from 'prom-client';
import type { ActivityDependencies } from '../../../activities/dependencies';
import { activityMetrics } from '../../../activities/metrics';
import {
  CarrierUnreachable,
  type CarrierCall,
  type DialAnswer,
  type HeldCall,
  type Telephony,
} from '../../../activities/telephony/port';
import { MANY_AT_ONCE, patientWaits } from '../../servers/at-once';
import { NO_GUARDS } from '../../servers/no-guards';
import { MINUTE_MS, type EngineDatabase } from './engine-database';

/** Rooms that the test fills; nothing happens in them by itself. */
export class RoomyCarrier implements Telephony {
  readonly done: string[] = [];
  answer: DialAnswer = { kind: 'placed', carrierId: 'room' };
  rooms: HeldCall[] = [];
  calls: CarrierCall[] = [];
  callerIds: (string | null)[] = [];
  isAway = false;
  lagMs = 71_000;

  constructor(private readonly clock: () => number) {}

  now = () => Promise.resolve(this.clock());
  preparesFirst = (): boolean => true;
  /** `slow`: ready, but not within a brief wait. */
  isReady: boolean | 'slow' = true;
  prepare: Telephony['prepare'] = (_reference, { isBrief } = { isBrief: false }) => {
    this.done.push('prepare');
    if (this.isReady === 'slow') return Promise.resolve({ kind: isBrief ? 'notYet' : 'ready' });
    return Promise.resolve({ kind: this.isReady ? 'ready' : 'unavailable' });
  };
  release = (): Promise<void> => Promise.resolve(void this.done.push('release'));
  createSession: Telephony['createSession'] = ({ reference }) => {
    this.done.push('createSession');
    return Promise.resolve({ kind: 'placed', carrierId: reference });
  };
  dial: Telephony['dial'] = ({ from }) => {
    this.done.push('dial');
    this.callerIds.push(from);
    return Promise.resolve(this.answer);
  };
  find: Telephony['find'] = () => {
    if (this.isAway) return Promise.reject(new CarrierUnreachable('away'));
    return Promise.resolve({
      calls: this.calls,
      carrierTime: this.clock(),
      lagMs: this.lagMs,
      goneMeansOver: true,
    });
  };
  hangUp: Telephony['hangUp'] = (carrierId) => {
    this.done.push(`hangUp ${carrierId}`);
    this.rooms = this.rooms.filter((room) => room.carrierId !== carrierId);
    return Promise.resolve('ended');
  };
  held = () => Promise.resolve(this.rooms);
  setInboundRoute = () => Promise.resolve();
  removeInboundRoute = () => Promise.resolve();
}

export interface Told {
  id: string;
  name: string;
  args: unknown[];
}

/** What activities need around the carrier; `told` takes the signals that they send. */
export function roomyDependencies(
  engine: EngineDatabase,
  carrier: Telephony,
  told: Told[],
): ActivityDependencies {
  return {
    db: engine.db,
    telephony: carrier,
    signals: {
      getHandle: (id) => ({
        signal: (name, ...args) => Promise.resolve(void told.push({ id, name, args })),
      }),
    },
    workflows: { state: () => Promise.resolve('running'), startOnce: () => Promise.resolve() },
    webhooks: { post: () => Promise.reject(new Error('no webhook is expected')) },
    briefWaits: patientWaits(),
    mail: null,
    dndRegistry: null,
    model: null,
    files: { remove: () => Promise.resolve() },
    log: { info: () => undefined, warn: () => undefined },
    metrics: activityMetrics(new Registry()),
    clock: () => engine.now,
    settings: {
      ringTimeoutS: 30,
      creditsPerMinute: 1,
      dispatchWaitLimitMs: 900_000,
      dialGuards: NO_GUARDS,
      callbacks: {
        defaultDelayMs: MINUTE_MS,
        window: { startMinute: 0, endMinute: 1440 },
        allowedCountries: ['IN'],
      },
      analysis: { utcOffsetMinutes: 330, atOnce: 16, rates: {} },
      atOnce: MANY_AT_ONCE,
      decryptSecret: (encrypted) => encrypted.toString(),
    },
  };
}
