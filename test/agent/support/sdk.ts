/** The agent's SDK as the agent itself loads it: it is a package of its own, with its own dependencies. */
export { initializeLogger, llm } from '../../../agent/node_modules/@livekit/agents/dist/index.cjs';
