/** Error codes that only carriers and agent processes get. Part of `ERROR_CODES`. */
export const CARRIER_CODES = {
  NOT_AUTHORISED: {
    status: 401,
    group: 'Carriers and agent processes',
    when: 'The shared secret, call token or LiveKit signature in the `Authorization` header is missing or wrong.',
    fix: 'Check `CARRIER_SECRET`, `AGENT_SECRET` or the LiveKit API keys.',
  },
  CALL_TAKEN: {
    status: 409,
    group: 'Carriers and agent processes',
    when: 'Another agent process already handles the call.',
    fix: "Don't handle this call. The other process does.",
  },
  CALL_OVER: {
    status: 410,
    group: 'Carriers and agent processes',
    when: 'The call has ended.',
    fix: 'Leave the room.',
  },
  RECORDING_OFF: {
    status: 409,
    group: 'Carriers and agent processes',
    when: 'Recording is turned off for this call.',
    fix: 'Discard the recording.',
  },
  ACTION_LIMIT: {
    status: 409,
    group: 'Carriers and agent processes',
    when: 'The call has reached its limit of HTTP action requests that use secret headers.',
    fix: "Don't send any more HTTP action requests that use secret headers in this call.",
  },
} as const;
