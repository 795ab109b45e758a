import type { SendRequest } from '../model/actions/actions';

/** Replaces requests that are only shown. The response tells the model not to invent data. */
export const requestsNotSent: SendRequest = () =>
  Promise.resolve({
    kind: 'answered',
    status: 200,
    contentType: 'application/json',
    body: '{"dry_run": true, "note": "the request was not sent; there is no data"}',
    isCut: false,
  });
