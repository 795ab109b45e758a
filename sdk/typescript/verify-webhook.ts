/** A separate entry, because it needs Node. Browser code that uses the client does not load it. */
export * from '../../api/webhooks/verify-webhook';
