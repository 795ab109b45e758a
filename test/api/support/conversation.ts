/** A fake media server with the rooms of calls. */
import { FakeLiveKit, KEY } from '../../activities/support/fake-livekit';
import type { LiveKitSettings } from '../../../api/settings';
import { newCall } from './rows';
import type { TestApi } from './test-api';

export class FakeMedia {
  private constructor(
    readonly server: FakeLiveKit,
    readonly settings: LiveKitSettings,
  ) {}

  static async open(): Promise<FakeMedia> {
    const server = new FakeLiveKit();
    const url = await server.open();
    return new FakeMedia(server, { url, publicUrl: 'https://rtc.example.test', ...KEY });
  }

  async newConversation(api: TestApi, row: { agent_id: string; [column: string]: unknown }): Promise<string> {
    const callId = await newCall(api, {
      stage: 'placed',
      call_status: 'in progress',
      answered_at: new Date(api.clock.time),
      ...row,
    });
    this.addRoom(typeof row.carrier_id === 'string' ? row.carrier_id : callId);
    return callId;
  }

  /** Adds a room in which an agent talks to a phone. */
  addRoom(name: string): void {
    this.server.addRoom(name, [
      { identity: 'agent', kind: 'agent' },
      { identity: 'callee', kind: 'phone' },
    ]);
  }

  /** Adds a room in which a caller waits for an agent. */
  addCaller(name: string, { to, from }: { to: string; from: string }): void {
    const attributes = {
      'sip.ruleID': 'SDR_1',
      'sip.callStatus': 'active',
      'sip.trunkPhoneNumber': to,
      'sip.phoneNumber': from,
    };
    this.server.addRoom(name, [{ identity: `sip_${from}`, kind: 'phone', attributes }]);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
