interface Owner {
  organizationId: string;
  agentId: string;
}

const common = (owner: Owner, callId: string, now: number) => ({
  callId,
  ...owner,
  agentVersion: 1,
  metadata: {},
  modifyAgent: null,
  xAgentId: null,
  actor: { kind: 'operator' as const, id: 'test', requestId: null },
  now,
});

let dispatched = 0;

/** Returns the row of a dispatched call. Each row has a different number, because a number can have only one live call. */
export const dispatchedRow = (owner: Owner, callId: string, now: number) => ({
  ...common(owner, callId, now),
  name: 'A contact',
  fromNumber: null,
  toNumber: `+9197${String(++dispatched).padStart(8, '0')}`,
  voice: null,
  dndCheckSkipped: false,
});

/** Returns the row of a browser session. */
export const sessionRow = (owner: Owner, callId: string, now: number) => ({
  ...common(owner, callId, now),
  session: {},
});
