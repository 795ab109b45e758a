/** The SDK requires a logger. It is kept silent because the SDK logs what was said. */
export { initializeLogger } from '@livekit/agents';
