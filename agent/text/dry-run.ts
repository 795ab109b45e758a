import type { SendRequest } from '../model/agent-logic';

/** Instead of requests that are only shown. The model gets a note, so that it invents no data. */
export const requestsNotSent: SendRequest = () =>
  Promise.resolve({
    kind: 'answered',
    status: 200,
    contentType: 'application/json',
    body: '{"dry_run": true, "note": "the request was not sent; there is no data"}',
    isCut: false,
  });
