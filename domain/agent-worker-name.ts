/** Number of characters of the UUID, which distinguish the deployments on one LiveKit. */
const LENGTH = 8;

/**
 * Returns the name under which agents register at LiveKit unless LIVEKIT_AGENT_NAME is set. It contains part of the database's UUID
 * (`deployment`), so that two deployments never take each other's calls.
 */
export const agentWorkerName = (deployment: string): string => `voice-agent-${deployment.slice(0, LENGTH)}`;
