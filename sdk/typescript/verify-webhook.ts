/** Apart from the client, because it needs Node: whoever calls the API from a browser does not load it. */
export * from '../../api/webhooks/verify-webhook';
