/** Below the public URL; the worker gives the carrier the whole address with each call. */
export const CARRIER_EVENTS_PATH = '/api/carrier/events';
/** Where an agent sends those of its call. */
export const AGENT_EVENTS_ROUTE = '/api/carrier/calls/:call_id/events';
