/**
 * Runs `idempotent` around real dispatches, with crashes and clock changes that no HTTP request can cause.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { onlyKey } from '../../db/kernel/secrets-keys';
import type { ApiDependencies } from '../../api/dependencies';
import type { RequestedDispatch } from '../../api/calls/dispatch/schema';
import {
  dispatchCall,
  findDispatched,
  type Dispatched,
  newRoomName,
} from '../../api/calls/dispatch/dispatch-call';
import { idempotent, type IdempotentAnswer, type IdempotentRequest } from '../../api/http/idempotency';
import type { ApiClient } from '../../api/http/auth/api-key';
import { outboundCallId } from '../../db/calls/dispatched-calls';
import { LEASE_MS } from '../../db/organizations/idempotency-keys';
import { rows } from '../../db/kernel/query';
import { EngineDatabase, START } from '../db/support/engine-database';
import { describeWith } from '../servers/availability';
import { RecordingTemporal } from './support/recording-temporal';

interface Body {
  call_id: string;
  agent_name: string;
}

const SESSION = {
  voice_gender: 'female',
  primary_language: 'hi',
  secondary_language: 'en',
  welcome_interruptible: true,
  bg_noise_enabled: false,
  bg_noise_volume: 60,
  voice_speed: 1,
} as const;

/** A promise that resolves when `open` is called. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describeWith('postgres', 'a request with an idempotency key', () => {
  let engine: EngineDatabase;
  let deps: ApiDependencies;
  let organization: ApiClient;
  let request: RequestedDispatch;
  let key: string;
  const temporal = new RecordingTemporal();
  const clock = { time: START, now: () => clock.time };

  beforeAll(async () => {
    engine = await EngineDatabase.open();
    const url = 'wss://rtc.example.test';
    const livekit = { url, publicUrl: url, apiKey: 'devkey', apiSecret: 'secret' };
    const settings = {
      dispatchWaitLimitMs: 1000,
      secretsKeys: onlyKey(randomBytes(32)),
      livekit,
      spendPerDay: { perOrganization: 0 },
    };
    deps = { db: engine.db, temporal, clock, log: pino({ level: 'silent' }), settings } as any;
    const { organizationId, agentId } = await engine.owner();
    organization = {
      id: organizationId,
      name: 'A client',
      maxConcurrency: 10,
      callerLines: 8,
      spendPerDay: null,
      quotas: {},
      rateLimits: { dispatchPerMinute: null, otherPerMinute: null },
      scopes: null,
      actor: { kind: 'api_key', id: 'key-1', requestId: 'request-1' },
    };
    request = {
      medium: 'telephony',
      agentIdOrName: agentId,
      name: 'Asha',
      toNumber: '+919876543210',
      metadata: {},
      modifyAgent: null,
      outboundNumber: null,
      voice: null,
      dndCheckSkipped: false,
      xAgentId: null,
    };
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    key = randomUUID();
    clock.time = START;
    temporal.unreachable = false;
    await deps.db('calls').delete();
  });

  const ask = (changes: Partial<IdempotentRequest<Dispatched, Body>> = {}): Promise<IdempotentAnswer<Body>> =>
    idempotent(deps, {
      organization,
      key,
      operation: 'dispatch',
      input: request,
      newId: () => outboundCallId(clock.now()),
      run: (id) => dispatchCall(deps, request, organization, id),
      recover: (id) => findDispatched(deps, organization, id),
      present: (made) => ({ call_id: (made as any).callId, agent_name: made.agentName }),
      ...changes,
    });
  const callIds = async (): Promise<string[]> =>
    (await rows<{ id: string }>(deps.db, 'select call_id as id from calls order by call_id')).map(
      ({ id }) => id,
    );
  const refusal = (status: number, code: string) => expect.objectContaining({ status, code });
  const IN_PROGRESS = refusal(409, 'IDEMPOTENCY_IN_PROGRESS');
  const REUSED = refusal(422, 'IDEMPOTENCY_KEY_REUSED');

  test('runs a request each time without a key', async () => {
    await ask({ key: null });
    await ask({ key: null });
    expect(await callIds()).toHaveLength(2);
  });

  test('runs a request once, and then returns the stored response', async () => {
    const first = await ask();
    expect(first).toEqual({ body: { call_id: expect.any(String), agent_name: 'An agent' }, replayed: false });
    const again = await ask({ run: () => Promise.reject(new Error('ran again')) });
    expect(JSON.stringify(again)).toBe(JSON.stringify({ ...first, replayed: true }));
    expect(await callIds()).toEqual([first.body.call_id]);
  });

  test('runs once for twenty concurrent requests and rejects or replays the others', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => ask()));
    const [callId, ...more] = await callIds();
    expect(more).toEqual([]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(IN_PROGRESS);
      else expect(outcome.value.body).toMatchObject({ call_id: callId });
    }
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await ask()).toMatchObject({ replayed: true, body: { call_id: callId } });
  });

  test('throws IN_PROGRESS during the first run, and REUSED for a different request', async () => {
    const { opened, open } = gate();
    const { opened: running, open: markRunning } = gate();
    const first = ask({
      run: async (id) => {
        markRunning();
        await opened;
        return dispatchCall(deps, request, organization, id);
      },
    });
    await running;
    await expect(ask()).rejects.toEqual(IN_PROGRESS);
    await expect(ask({ input: { ...request, name: 'Ravi' } })).rejects.toEqual(REUSED);
    open();
    expect((await first).replayed).toBe(false);
  });

  test.each([
    ['input', { input: { name: 'Ravi' } }],
    ['operation', { operation: 'campaign create' }],
  ])('rejects a different %s', async (_what, changes) => {
    await ask();
    await expect(ask(changes)).rejects.toEqual(REUSED);
    expect(await callIds()).toHaveLength(1);
  });

  test('frees the key when the request is rejected', async () => {
    const refused = { ...request, agentIdOrName: 'nobody' };
    const attempt = ask({ input: refused, run: (id) => dispatchCall(deps, refused, organization, id) });
    await expect(attempt).rejects.toEqual(refusal(404, 'AGENT_NOT_FOUND'));
    expect(await ask()).toMatchObject({ replayed: false });
  });

  test("frees the key when the request can't be stored", async () => {
    const unstorable = { ...request, name: 'A\0sha' } as RequestedDispatch;
    const attempt = ask({ input: unstorable, run: (id) => dispatchCall(deps, unstorable, organization, id) });
    await expect(attempt).rejects.toMatchObject({ code: '22021' });
    expect(await ask()).toMatchObject({ replayed: false });
  });

  test('frees the key when Temporal is unreachable and the call was removed', async () => {
    temporal.unreachable = true;
    await expect(ask()).rejects.toThrow('Temporal');
    expect(await callIds()).toEqual([]);
    temporal.unreachable = false;
    expect(await ask()).toMatchObject({ replayed: false });
    expect(await callIds()).toHaveLength(1);
  });

  describe.each([
    ['the process dies', new Error('stands for a death')],
    ['Postgres goes away', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ])('when %s', (_what, death) => {
    test('returns the call that was created, after the lease has expired', async () => {
      let made = '';
      const dying = ask({
        run: async (id) => {
          await dispatchCall(deps, request, organization, id);
          made = id;
          throw death;
        },
      });
      await expect(dying).rejects.toBe(death);
      clock.time += LEASE_MS - 1;
      await expect(ask()).rejects.toEqual(IN_PROGRESS);
      clock.time += 1;
      const answer = { body: { call_id: made, agent_name: 'An agent' }, replayed: true };
      expect(await ask()).toEqual(answer);
      expect(await ask()).toEqual(answer);
      expect(await callIds()).toEqual([made]);
    });

    test('creates the missing call under its first id, after the lease has expired', async () => {
      let first = '';
      const dying = ask({
        run: (id) => {
          first = id;
          return Promise.reject(death);
        },
      });
      await expect(dying).rejects.toBe(death);
      clock.time += LEASE_MS;
      expect(await ask()).toMatchObject({ body: { call_id: first }, replayed: false });
      expect(await callIds()).toEqual([first]);
    });
  });

  test('returns the same room and a fresh token for a browser session whose process died', async () => {
    const dispatch = {
      medium: 'webrtc',
      agentIdOrName: request.agentIdOrName,
      metadata: {},
      modifyAgent: null,
    } as const;
    const session: RequestedDispatch = { ...dispatch, session: SESSION, xAgentId: null };
    const death = new Error('stands for a death');
    let made: Dispatched | undefined;
    const ofSession: Partial<IdempotentRequest<Dispatched, any>> = {
      input: session,
      newId: () => newRoomName(Date.now()),
      present: (dispatched) => dispatched,
    };
    const dying = ask({
      ...ofSession,
      run: async (id) => {
        made = await dispatchCall(deps, session, organization, id);
        throw death;
      },
    });
    await expect(dying).rejects.toBe(death);
    clock.time += LEASE_MS;
    const { body, replayed } = (await ask(ofSession)) as IdempotentAnswer<any>;
    expect(replayed).toBe(true);
    expect(body).toEqual({ ...made, token: expect.any(String) });
    expect(await callIds()).toEqual([body.roomName]);
  });

  /** Starts a request that runs until `open` is called, and lets its lease expire. */
  async function outlivesItsLease() {
    const { opened, open } = gate();
    const { opened: running, open: markRunning } = gate();
    const slow = ask({
      run: async (id) => {
        markRunning();
        await opened;
        return dispatchCall(deps, request, organization, id);
      },
    });
    await running;
    clock.time += LEASE_MS;
    return { slow, open };
  }

  test('creates one call when the lease expires during the run and another run waits for it', async () => {
    const { slow, open } = await outlivesItsLease();
    const over = ask({
      run: async (id) => {
        open();
        await slow;
        return dispatchCall(deps, request, organization, id);
      },
    });
    await expect(over).rejects.toEqual(IN_PROGRESS);
    const { body } = await slow;
    expect(await ask()).toEqual({ body, replayed: true });
    expect(await callIds()).toHaveLength(1);
  });

  test('creates one call when the lease expires during the run and another run overtakes it', async () => {
    const { slow, open } = await outlivesItsLease();
    const { body } = await ask();
    open();
    await expect(slow).rejects.toEqual(IN_PROGRESS);
    expect(await ask()).toEqual({ body, replayed: true });
    expect(await callIds()).toEqual([body.call_id]);
  });

  test("succeeds although the response can't be stored, and recovers it after the lease expires", async () => {
    const answer = await ask({
      run: async (id) => {
        const made = await dispatchCall(deps, request, organization, id);
        await deps.db.raw('alter table idempotency_keys rename to away');
        return made;
      },
    });
    await deps.db.raw('alter table away rename to idempotency_keys');
    expect(answer.replayed).toBe(false);
    clock.time += LEASE_MS;
    expect(await ask()).toEqual({ ...answer, replayed: true });
    expect(await callIds()).toHaveLength(1);
  });

  test("returns the rejection although the key can't be freed", async () => {
    const refused = { ...request, agentIdOrName: 'nobody' };
    const attempt = ask({
      run: async (id) => {
        await deps.db.raw('alter table idempotency_keys rename to away');
        return dispatchCall(deps, refused, organization, id);
      },
    });
    await expect(attempt).rejects.toEqual(refusal(404, 'AGENT_NOT_FOUND'));
    await deps.db.raw('alter table away rename to idempotency_keys');
    clock.time += LEASE_MS;
    expect(await ask()).toMatchObject({ replayed: false });
  });

  test('encrypts the stored response and binds it to its row', async () => {
    const { body } = await ask();
    const row = await deps.db('idempotency_keys').where({ key }).first('answer', 'subject_id');
    expect(row.answer.toString('latin1')).not.toContain('An agent');
    expect(row.subject_id).toBe(body.call_id);
    await deps.db('idempotency_keys').where({ key }).update({ subject_id: 'outbound-of-another' });
    await expect(ask()).rejects.toThrow('authenticate');
  });
});
