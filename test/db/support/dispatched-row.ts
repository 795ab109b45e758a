interface Owner {
  clientId: string;
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

/** What a dispatch stores of a call that a test does not choose. */
export const dispatchedRow = (owner: Owner, callId: string, now: number) => ({
  ...common(owner, callId, now),
  name: 'A contact',
  fromNumber: null,
  toNumber: '+919876543210',
  voice: null,
  dndCheckSkipped: false,
});

/** The same of a browser session. */
export const sessionRow = (owner: Owner, callId: string, now: number) => ({
  ...common(owner, callId, now),
  session: {},
});
