import type { ActivityDependencies } from '../../../activities/dependencies';
import {
  CarrierUnreachable,
  type CarrierCall,
  type DialAnswer,
  type HeldCall,
  type Retrieved,
  type Telephony,
} from '../../../activities/telephony/port';
import type { EngineDatabase } from './engine-database';
import { listed } from '../../servers/listed-workflows';
import type { OrphanedBy } from '../../../domain/orphaned-call';
import { idleDependencies } from './idle-dependencies';

/** Carrier with rooms that the test fills. They don't change by themselves. */
export class RoomyCarrier implements Telephony {
  readonly done: string[] = [];
  answer: DialAnswer = { kind: 'placed', carrierId: 'room' };
  rooms: HeldCall[] = [];
  calls: CarrierCall[] = [];
  callerIds: (string | null)[] = [];
  greetings: string[] = [];
  isUnreachable = false;
  lagMs = 71_000;
  orphanedBy: OrphanedBy | null = null;

  constructor(private readonly clock: () => number) {}

  now = () => Promise.resolve(this.clock());
  preparesFirst = (): boolean => true;
  needsCallerId = (): boolean => false;
  /** `slow` means ready and `noAgent` means no agent, but not within a brief wait. */
  isReady: boolean | 'slow' | 'noAgent' | 'refused' = true;
  prepare: Telephony['prepare'] = (_reference, options) => {
    this.done.push('prepare');
    if (this.isReady === 'slow') return Promise.resolve({ kind: options !== undefined ? 'notYet' : 'ready' });
    if (this.isReady === 'noAgent')
      return Promise.resolve({ kind: options !== undefined ? 'notYet' : 'noAgent' });
    if (this.isReady === 'refused') return Promise.resolve({ kind: 'refused' });
    return Promise.resolve({ kind: this.isReady ? 'ready' : 'unavailable' });
  };
  release = (): Promise<void> => Promise.resolve(void this.done.push('release'));
  createSession: Telephony['createSession'] = ({ reference }) => {
    this.done.push('createSession');
    return Promise.resolve({ kind: 'placed', carrierId: reference });
  };
  dial: Telephony['dial'] = ({ from, agent }) => {
    this.done.push('dial');
    this.greetings.push(agent.greeting);
    this.callerIds.push(from);
    return Promise.resolve(this.answer);
  };
  pendingDialMs = (): number => 3_000 + this.lagMs;
  find: Telephony['find'] = () => {
    if (this.isUnreachable) return Promise.reject(new CarrierUnreachable('unreachable'));
    return Promise.resolve({
      calls: this.calls,
      carrierTime: this.clock(),
      lagMs: this.lagMs,
      goneMeansOver: this.orphanedBy === null,
      orphanedBy: this.orphanedBy,
    });
  };
  hangUp: Telephony['hangUp'] = (carrierId) => {
    this.done.push(`hangUp ${carrierId}`);
    this.rooms = this.rooms.filter((room) => room.carrierId !== carrierId);
    return Promise.resolve('ended');
  };
  /** State in which the carrier finds the phone of an orphaned call. */
  phone: Retrieved = { kind: 'absent' };
  retrieve: Telephony['retrieve'] = () =>
    this.isUnreachable ? Promise.reject(new CarrierUnreachable('unreachable')) : Promise.resolve(this.phone);
  held = () => Promise.resolve(this.rooms);
  setInboundRoute = () => Promise.resolve();
  removeInboundRoute = () => Promise.resolve();
}

export interface SentSignal {
  id: string;
  name: string;
  args: unknown[];
}

/** Returns dependencies of activities that use the carrier. `sent` collects the signals that they send. */
export function roomyDependencies(
  engine: EngineDatabase,
  carrier: Telephony,
  sent: SentSignal[],
): ActivityDependencies {
  return {
    db: engine.db,
    telephony: carrier,
    signals: {
      getHandle: (id) => ({
        signal: (name, ...args) => Promise.resolve(void sent.push({ id, name, args })),
      }),
    },
    workflows: {
      state: () => Promise.resolve('running'),
      startOnce: () => Promise.resolve(),
      openSince: () => listed(),
    },
    ...idleDependencies(engine),
  };
}
