/** Below the public URL; the worker gives the carrier the whole address with each call. */
export const CARRIER_EVENTS_PATH = '/api/carrier/events';
