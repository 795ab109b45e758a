/** Of a UUID so much names a deployment among those on one LiveKit. */
const LENGTH = 8;

/**
 * The name under which the agents of a deployment register at LiveKit, and their rooms ask for them, unless LIVEKIT_AGENT_NAME is set: two
 * deployments on one LiveKit never take each other's calls. `deployment` is the UUID of its database.
 */
export const agentWorkerName = (deployment: string): string => `voice-agent-${deployment.slice(0, LENGTH)}`;
