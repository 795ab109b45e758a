/** Path below the public URL. The worker sends the carrier the whole URL with each call. */
export const CARRIER_EVENTS_PATH = '/api/carrier/events';
/** Path to which an agent sends the events of its call. */
export const AGENT_EVENTS_ROUTE = '/api/carrier/calls/:call_id/events';
