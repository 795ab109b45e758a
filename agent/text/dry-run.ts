import type { SendRequest } from '../model/agent-logic';

/** In place of requests that are only shown. The model is told, so that it makes nothing up. */
export const requestsNotSent: SendRequest = () =>
  Promise.resolve({
    kind: 'answered',
    status: 200,
    contentType: 'application/json',
    body: '{"dry_run": true, "note": "the request was not sent; there is no data"}',
    isCut: false,
  });
