import { z } from 'zod';
import type { Agent, AgentWithConfig, VoiceAgentClient } from '../../sdk/typescript';
import { InvalidToolCall } from '../failure-text';
import { agentId, limit, page, paged } from './fields';
import { reading, type Tool } from './tool';

export const SECTIONS = ['persona', 'training', 'experience', 'analysis', 'deployment'] as const;

const agentSummary = {
  agent_id: z.string(),
  agent_name: z.string().describe('The slug, which other tools accept too'),
  display_name: z.string(),
  status: z.string().describe('initialized until it has a system prompt, then running'),
  last_edited_at: z.string(),
};

const summaryOf = (one: Omit<Agent, 'config'>) => ({
  agent_id: one.id,
  agent_name: one.agent_name,
  display_name: one.display_name,
  status: one.status,
  last_edited_at: one.last_edited_at,
});

const listAgents = reading({
  name: 'list_agents',
  title: 'List agents',
  description: 'Lists the agents of the organization, newest first.',
  input: {
    search: z.string().max(200).optional().describe('Part of the display name or the slug'),
    page,
    limit,
  },
  output: { agents: z.array(z.object(agentSummary)), ...paged },
  read: async ({ search, page, limit }, client, signal) => {
    const query = { page, page_size: limit, ...(search !== undefined && { search }) };
    const answer = await client.get('/api/agents', { query, signal });
    // Without `page` the API returns a bare array.
    if (Array.isArray(answer)) throw new TypeError('the API returned no page');
    const { data, pagination } = answer;
    return {
      agents: data.map(summaryOf),
      page,
      pages: pagination.total_pages,
      total: pagination.total_count,
    };
  },
});

const showAgent = reading({
  name: 'show_agent',
  title: 'Show an agent',
  description: 'Returns an agent with its stored configuration. Secrets are shown as ********.',
  input: { agent_id: agentId },
  output: {
    agent: z.object(agentSummary),
    config: z.object(
      Object.fromEntries(SECTIONS.map((section) => [section, z.record(z.string(), z.unknown())])),
    ),
  },
  read: async ({ agent_id }, client, signal) => {
    const { config, ...agent } = await agentNamed(agent_id, client, signal);
    return { agent: summaryOf(agent), config };
  },
});

/** Finds an agent by its id or slug. Throws if the organization has no such agent. */
export async function agentNamed(
  idOrSlug: string,
  client: VoiceAgentClient,
  signal: AbortSignal,
): Promise<AgentWithConfig> {
  let agent_id = idOrSlug;
  if (!z.uuid().safeParse(idOrSlug).success) {
    const agents = client.each('/api/agents', {
      query: { search: idOrSlug, page: 1, page_size: 200 },
      signal,
    });
    const named: Agent[] = [];
    for await (const agent of agents) if (agent.agent_name === idOrSlug) named.push(agent);
    const [agent] = named;
    if (agent === undefined)
      throw new InvalidToolCall(
        `No agent has the id or slug ${idOrSlug}. Call list_agents to see all agents.`,
      );
    agent_id = agent.id;
  }
  return client.get('/api/agent/{agent_id}', { path: { agent_id }, signal });
}

export const agentTools: readonly Tool[] = [listAgents, showAgent];
