/** The SDK insists on a logger, and writes what was said into it: it stays silent. */
export { initializeLogger } from '@livekit/agents';
