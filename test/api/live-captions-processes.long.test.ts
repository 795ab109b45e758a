/** Live captions served by several processes, with faults between them. */
import { valueOf } from '../servers/scrape';
import { CaptionListener } from './support/caption-listener';
import type { OtherProcess } from './support/captions-rig';
import { describeWith } from '../servers/availability';
import { CaptionsRig } from './support/captions-rig';

jest.setTimeout(120_000);

describeWith('postgres', 'live captions across processes', () => {
  let rig: CaptionsRig;

  beforeAll(async () => {
    rig = await CaptionsRig.open();
  });
  afterAll(() => rig.close());
  afterEach(() => rig.hangUp());

  let other: OtherProcess;
  beforeEach(async () => {
    other = await rig.openOther();
  });
  afterEach(() => other.close());

  test('sends captions to the listeners of each process, whichever process receives the events', async () => {
    const callId = await rig.live({ answered_at: null, call_status: 'ringing' });
    const [here, there] = [
      await rig.listen(rig.addressOf(callId)),
      await rig.listen(rig.addressOf(callId, other)),
    ];
    await rig.send(callId, { type: 'answered', answered_by: 'human' });
    await rig.say(callId, 0);
    await rig.update(callId, { kind: 'agent_thinking' });
    await rig.end(callId);
    for (const listener of [here, there]) {
      expect((await listener.closed).code).toBe(1000);
      expect([...listener.types].sort()).toEqual(
        ['agent_thinking', 'call_ended', 'call_started', 'connected', 'history', 'transcript'].sort(),
      );
    }
  });

  test('forwards live updates of a call whose listeners are connected to another process', async () => {
    const callId = await rig.live();
    const there = await rig.listen(rig.addressOf(callId, other));
    // The process learns about the listener from a notification.
    let isWanted = false;
    while (!isWanted) isWanted = (await rig.update(callId, { kind: 'agent_thinking' })).body.wanted;
    expect(await there.frame('agent_thinking')).toBeDefined();
  });

  test('informs a new process about calls that have listeners at other processes', async () => {
    const callId = await rig.live();
    await rig.listen(rig.addressOf(callId));
    const newcomer = await rig.openOther();
    try {
      // The process can learn this only from the replies to its own request.
      const item = { kind: 'agent_thinking', at: '2026-11-02T05:00:00Z' } as const;
      while (!newcomer.captions.take(callId, [item])) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      await newcomer.close();
    }
  });

  test('loses no segment when the connection for notifications is closed repeatedly during a call', async () => {
    const callId = await rig.live();
    const listener = await rig.listen(rig.addressOf(callId, other));
    const cut = () =>
      rig.api.db.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'api captions' and datname = current_database()`,
      );
    for (let n = 0; n < 5; n++) {
      await cut();
      await rig.say(callId, n * 1_000);
      await listener.until(({ said }) => said.length === n + 1);
    }
    expect(listener.seqs).toEqual([1, 2, 3, 4, 5]);
    await cut();
    await rig.end(callId);
    expect((await listener.closed).code).toBe(1000);
  });

  test('makes listeners reconnect when a process stops, and accepts no new ones there', async () => {
    const callId = await rig.live();
    const listener = await rig.listen(rig.addressOf(callId, other));
    expect(valueOf(await other.scrape(), 'voice_agent_caption_listeners')).toBe(1);
    await rig.say(callId, 0);
    await listener.until(({ said }) => said.length === 1);
    const stopping = other.captions.close();
    expect(await listener.closed).toEqual({ code: 1012, reason: 'restart' });
    await stopping;
    expect(await CaptionListener.refusal(rig.addressOf(callId, other))).toMatchObject({ status: 503 });
    expect(valueOf(await other.scrape(), 'voice_agent_caption_listeners')).toBe(0);
    await rig.say(callId, 1_000);
    const back = await rig.listen(`${rig.addressOf(callId)}?after=${listener.seqs.at(-1)}`);
    expect(back.seqs).toEqual([2]);
  });
});
