/** Separate entry point, because it needs Node. Browser code that imports the client doesn't load it. */
export * from '../../api/webhooks/verify-webhook';
