/** The SDK requires a logger, and logs what was said: it stays silent. */
export { initializeLogger } from '@livekit/agents';
