import type { LogEntry } from '../../../dev/simulator/log';

export const START_MS = Date.parse('2026-03-02T10:00:00.000Z');
const at = (ms: number) => new Date(START_MS + ms).toISOString();

/** Log entries of one answered call. Times are relative to `START_MS`. */
export function callEntries(reference: string, requestedMs: number, endedMs: number): LogEntry[] {
  const call = { carrier_id: `sim_${reference}`, reference, to: '' };
  return [
    { kind: 'request', at: at(requestedMs), method: 'POST', path: '/calls', status: 201, reference },
    {
      kind: 'placed',
      at: at(requestedMs),
      direction: 'outbound',
      from: null,
      events_url: '',
      steps: [],
      ...call,
    },
    {
      kind: 'state',
      at: at(requestedMs + 1),
      state: 'ringing',
      end_reason: null,
      sip_status: null,
      answered_by: null,
      ...call,
    },
    { kind: 'request', at: at(requestedMs + 2), method: 'GET', path: '/calls', status: 200, reference },
    {
      kind: 'state',
      at: at(endedMs),
      state: 'ended',
      end_reason: 'agent',
      sip_status: 200,
      answered_by: 'human',
      ...call,
    },
  ];
}
