/** An API that receives LiveKit's webhooks, with rooms that the test fills. */
import { RoomEvents } from '../../../api/carriers/livekit/handle-event';
import { livekitEventRoutes } from '../../../api/carriers/livekit/routes';
import type { Rooms } from '../../../api/carriers/livekit/rooms';
import type { Presence } from '../../../runtime/livekit/presence';
import { KEY, signature } from './livekit-webhooks';
import { newAgent, newCall } from './rows';
import { MONDAY, openTestApi, type Answer, type TestApi } from './test-api';

export const CARRIER_SECRET = 'a-secret-of-the-carrier';

export class LiveKitRig {
  /** The participants that a check of any room finds. */
  present: Presence = { person: null, agent: false };
  deleted: string[] = [];
  /** Delays the processing of deferred events. */
  wait: () => Promise<void> = () => Promise.resolve();
  private names = 0;

  readonly rooms: Rooms = {
    whoIsIn: () => Promise.resolve(this.present),
    delete: (room) => Promise.resolve(void this.deleted.push(room)),
  };
  private opened?: { api: TestApi; events: RoomEvents; agentId: string };

  static async open(): Promise<LiveKitRig> {
    const rig = new LiveKitRig();
    let events: RoomEvents | undefined;
    const api = await openTestApi({
      carrierSecret: CARRIER_SECRET,
      moreEventRoutes: (deps) => {
        events = new RoomEvents({ ...deps, rooms: rig.rooms }, () => rig.wait());
        return [livekitEventRoutes({ events, clock: deps.clock }, KEY)];
      },
    });
    if (events === undefined) throw new Error('the API has no route for webhooks');
    rig.opened = { api, events, agentId: await newAgent(api) };
    return rig;
  }

  get api(): TestApi {
    return this.isOpen().api;
  }

  /** Empties the rooms and sets the clock to Monday. */
  reset(): void {
    this.present = { person: null, agent: false };
    this.deleted = [];
    this.wait = () => Promise.resolve();
    this.api.clock.time = MONDAY + 400;
  }

  async send(body: string, authorization?: string): Promise<Answer> {
    return this.api.ask('/api/livekit/webhook', {
      body,
      as: null,
      headers: {
        'Content-Type': 'application/webhook+json',
        Authorization: authorization ?? (await signature(body)),
      },
    });
  }

  /** Sends a webhook and waits for its deferred work. */
  async delivered(body: string): Promise<void> {
    const { status } = await this.send(body);
    expect(status).toBe(200);
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.isOpen().events.close();
  }

  newRoom(): string {
    return `outbound-1790000000-${String(++this.names).padStart(32, '0')}`;
  }

  placed(fields: Record<string, unknown> = {}): Promise<string> {
    return newCall(this.api, {
      call_id: this.newRoom(),
      agent_id: this.isOpen().agentId,
      stage: 'placed',
      call_status: 'dialing',
      requested_at: new Date(MONDAY - 1_000),
      ...fields,
    });
  }

  talking(fields: Record<string, unknown> = {}): Promise<string> {
    return this.placed({
      call_status: 'in progress',
      answered_at: new Date(MONDAY - 60_000),
      answered_by: 'human',
      requested_at: new Date(MONDAY - 70_000),
      ...fields,
    });
  }

  callOf(callId: string): Promise<Record<string, any>> {
    return this.api.db('calls').where({ call_id: callId }).first();
  }

  async endOf(callId: string) {
    const { stage, end_reason: endReason, call_status: callStatus } = await this.callOf(callId);
    return { stage, endReason, callStatus };
  }

  close(): Promise<void> {
    return this.api.close();
  }

  private isOpen() {
    if (this.opened === undefined) throw new Error('the API is not open');
    return this.opened;
  }
}
