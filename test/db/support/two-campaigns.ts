/** Creates similar campaigns with calls and contacts at every stage, and finds out which of their rows a transaction changes. */
import { concludeCall } from '../../../db/calls/conclusions';
import { rows } from '../../../db/kernel/query';
import { MINUTE_MS, type EngineDatabase, type Owner } from './engine-database';

/** A campaign's calls by state. Contacts are named after their latest calls. */
export interface Stand {
  name: string;
  owner: Owner;
  campaignId: string;
  calls: Record<
    | 'redial'
    | 'callback'
    | 'done'
    | 'placed'
    | 'requested'
    | 'granted'
    | 'waiting'
    | 'claimed'
    | 'dispatched',
    string
  >;
}

/**
 * Creates a campaign with three taken lines, a waiting and a claimed call, two contacts without a call, and contacts that wait for a redial
 * and a callback.
 */
export async function stand(engine: EngineDatabase, owner: Owner, name: string): Promise<Stand> {
  const campaignId = await engine.campaign(owner, { contacts: 10, concurrency: 3 });
  const claim = async (limit: number): Promise<string[]> => {
    const { claimed } = await engine.claim(campaignId, { limit });
    return claimed.map(({ callId }) => callId);
  };
  const started = async (limit: number): Promise<[string, ...string[]]> => {
    const [first = '', ...others] = await claim(limit);
    await engine.register(owner, [first, ...others]);
    return [first, ...others];
  };
  const talked = async (): Promise<string> => {
    const [callId] = await started(1);
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(engine.now - MINUTE_MS).toISOString() });
    return callId;
  };
  const [redial] = await started(1);
  await engine.dial(redial);
  await engine.end(redial, 'busy');
  const callback = await talked();
  await concludeCall(engine.db, {
    callId: callback,
    findings: null,
    segments: [],
    webhook: null,
    callback: {
      id: crypto.randomUUID(),
      dueAt: engine.now + 30 * MINUTE_MS,
      callId: '',
      dialUntil: engine.now + 60 * MINUTE_MS,
      maxDepth: 3,
      toNumber: null,
      cap: null,
    },
    now: engine.now,
  });
  const done = await talked();
  const [placed, requested = '', granted = '', waiting = ''] = await started(4);
  await engine.dial(placed);
  await engine.begin(requested);
  const [claimed = ''] = await claim(1);
  const dispatched = await engine.dispatch(owner);
  await engine.set(campaignId, { refill_requested_at: null });
  return {
    name,
    owner,
    campaignId,
    calls: { redial, callback, done, placed, requested, granted, waiting, claimed, dispatched },
  };
}

/** Returns every row that the engine's transactions write, as text, by table and key. */
async function everyRow(engine: EngineDatabase): Promise<Map<string, string>> {
  const found = await rows<{ key: string; row: string }>(
    engine.db,
    `select 'call ' || call_id as key, to_jsonb(k)::text as row from calls k
     union all select 'line ' || call_id, to_jsonb(l)::text from lines l
     union all select 'contact ' || id, to_jsonb(c)::text from contacts c
     union all select 'campaign ' || id, to_jsonb(c)::text from campaigns c
     union all select 'client ' || id, to_jsonb(c)::text from organizations c
     union all select 'spend ' || owner_id || day, to_jsonb(s)::text from spend s`,
  );
  return new Map(found.map(({ key, row }) => [key, row]));
}

/**
 * Returns the rows that the work changes, creates or removes, by names such as `call one.placed`, `contact one.5` and `call new`. An
 * organization is named after its first campaign.
 */
export async function changedBy(
  engine: EngineDatabase,
  stands: readonly Stand[],
  work: () => Promise<unknown>,
): Promise<string[]> {
  const names = new Map<string, string>();
  for (const { name, owner, campaignId, calls } of stands) {
    names.set(campaignId, name);
    if (!names.has(owner.organizationId)) names.set(owner.organizationId, `of ${name}`);
    for (const [what, callId] of Object.entries(calls)) names.set(callId, `${name}.${what}`);
    for (const { id, row } of await engine.contacts(campaignId)) names.set(String(id), `${name}.${row}`);
  }
  const before = await everyRow(engine);
  await work();
  const after = await everyRow(engine);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  );
  const named = changed.map((key) => {
    const [table = '', id = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
    return `${table} ${names.get(table === 'spend' ? id.slice(0, 36) : id) ?? 'new'}`;
  });
  return named.sort();
}
