/**
 * Tracks the listeners of each call in this process and sends them segments. Notifications only say that there is something to read. The
 * segments are read from the table, starting after each listener's last one, so none is lost or sent twice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  captionsSince,
  registerListening,
  renewListening,
  type CaptionedCall,
} from '../../../db/calls/live-captions';
import type { Db } from '../../../db/kernel/connection';
import { readLiveItems } from '../../../domain/live-updates';
import { Audience, type Listener } from './audience';

interface HubDependencies {
  db: Db;
  clock: { now(): number };
  /** Called when a call gets its first listener in this process. */
  onWanted: (callId: string) => void;
}

const CALLS_PER_QUERY = 100;
const RETRY_DELAY_MS = 500;

export class CaptionsHub {
  private readonly audiences = new Map<string, Audience>();
  /** Calls that may have new segments. */
  private readonly stale = new Set<string>();
  private isReading = false;
  private isClosed = false;

  constructor(private readonly deps: HubDependencies) {}

  get callIds(): Iterable<string> {
    return this.audiences.keys();
  }

  has(callId: string): boolean {
    return this.audiences.has(callId);
  }

  *listeners(): Iterable<Listener> {
    for (const { listeners } of this.audiences.values()) yield* listeners;
  }

  countOf(callId: string): number {
    const audience = this.audiences.get(callId);
    return audience === undefined ? 0 : audience.listeners.size + audience.held;
  }

  /** Makes sure that the call's notifications aren't ignored while a new listener's history is being read. */
  hold(callId: string): Audience {
    let audience = this.audiences.get(callId);
    if (audience === undefined) {
      audience = new Audience(callId);
      this.audiences.set(callId, audience);
      this.deps.onWanted(callId);
    }
    audience.held += 1;
    return audience;
  }

  /** Resolves once every later write to the call triggers a notification. */
  async register(audience: Audience): Promise<void> {
    audience.registration ??= registerListening(this.deps.db, audience.callId);
    try {
      await audience.registration;
    } catch (error) {
      audience.registration = null;
      throw error;
    }
  }

  /** Also reads what was written after a registration had expired. */
  async renew(): Promise<void> {
    const callIds = [...this.audiences.keys()];
    if (callIds.length === 0) return;
    const renewed = new Set(await renewListening(this.deps.db, callIds));
    for (const callId of callIds) {
      if (renewed.has(callId)) continue;
      await registerListening(this.deps.db, callId);
      this.readMissed(callId);
    }
  }

  release(audience: Audience): void {
    audience.held -= 1;
    this.forgetEmpty(audience);
  }

  /** `notificationsBefore` is the number of notifications before `known` was read. */
  join(
    audience: Audience,
    listener: Listener,
    known: { call: CaptionedCall; notificationsBefore: number },
  ): void {
    audience.listeners.add(listener);
    if (known.call.isOver) this.settle(audience, known.call);
    if (audience.notifications !== known.notificationsBefore) this.read(audience.callId);
  }

  leave(callId: string, listener: Listener): void {
    const audience = this.audiences.get(callId);
    audience?.listeners.delete(listener);
    if (audience !== undefined) this.forgetEmpty(audience);
  }

  /** Format: "<call id>:<highest seq>" for segments, "<call id>" for a state, separated by spaces (`db/functions/notify_segments.sql`). */
  receive(payload: string): void {
    for (const word of payload.split(' ')) {
      const [callId = '', seq] = word.split(':');
      const audience = this.audiences.get(callId);
      if (audience === undefined) continue;
      audience.notifications += 1;
      if (seq === undefined || Number(seq) > audience.seq) this.read(callId);
    }
  }

  receiveUpdates(payload: string): void {
    for (const item of readLiveItems(payload)) this.audiences.get(item.callId)?.sendUpdate(item);
  }

  /** Call it after an interval without notifications. */
  readAll(): void {
    for (const callId of this.audiences.keys()) this.readMissed(callId);
  }

  close(): void {
    this.isClosed = true;
    for (const listener of this.listeners()) listener.close('restart');
  }

  private readMissed(callId: string): void {
    const audience = this.audiences.get(callId);
    if (audience === undefined) return;
    audience.notifications += 1;
    this.read(callId);
  }

  private read(callId: string): void {
    this.stale.add(callId);
    if (!this.isReading) void this.readStale();
  }

  /** Runs one statement at a time, for all calls that became stale during the previous one. */
  private async readStale(): Promise<void> {
    this.isReading = true;
    while (this.stale.size > 0 && !this.isClosed) {
      const callIds = [...this.stale].slice(0, CALLS_PER_QUERY);
      for (const callId of callIds) this.stale.delete(callId);
      await this.readCalls(callIds);
    }
    this.isReading = false;
  }

  private async readCalls(callIds: readonly string[]): Promise<void> {
    const cursors = callIds.flatMap((callId) => {
      const audience = this.audiences.get(callId);
      return audience === undefined || audience.listeners.size === 0 ? [] : [{ callId, seq: audience.seq }];
    });
    if (cursors.length === 0) return;
    try {
      const after = new Map(cursors.map(({ callId, seq }) => [callId, seq]));
      for (const call of await captionsSince(this.deps.db, cursors)) {
        this.deliver(call, after.get(call.callId) ?? 0);
      }
    } catch {
      // Postgres is down: keep retrying.
      for (const { callId } of cursors) this.stale.add(callId);
      await delay(RETRY_DELAY_MS, undefined, { ref: false });
    }
  }

  private deliver(call: CaptionedCall, after: number): void {
    const audience = this.audiences.get(call.callId);
    if (audience === undefined) return;
    if (audience.deliver(call, after)) this.stale.add(call.callId);
    else if (call.isOver) this.settle(audience, call);
  }

  private settle(audience: Audience, call: CaptionedCall): void {
    const inMs = audience.drainsInMs(call, this.deps.clock.now());
    if (inMs === 0) {
      audience.end(call);
      this.forgetEmpty(audience);
    } else setTimeout(() => this.read(audience.callId), inMs).unref();
  }

  private forgetEmpty(audience: Audience): void {
    if (audience.isEmpty && this.audiences.get(audience.callId) === audience)
      this.audiences.delete(audience.callId);
  }
}
