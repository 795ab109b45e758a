/** Characters of the UUID that distinguish the deployments on one LiveKit. */
const LENGTH = 8;

/**
 * The name under which agents register at LiveKit unless LIVEKIT_AGENT_NAME is set, so that two deployments never take each other's calls.
 * `deployment` is the UUID of the deployment's database.
 */
export const agentWorkerName = (deployment: string): string => `voice-agent-${deployment.slice(0, LENGTH)}`;
