/** What a dispatch stores of a call that a test does not choose. */
export const dispatchedRow = (owner: { clientId: string; agentId: string }, callId: string, now: number) => ({
  callId,
  ...owner,
  agentVersion: 1,
  name: 'A contact',
  fromNumber: null,
  toNumber: '+919876543210',
  metadata: {},
  modifyAgent: null,
  xAgentId: null,
  voice: null,
  dndCheckSkipped: false,
  actor: { kind: 'operator' as const, id: 'test', requestId: null },
  now,
});
