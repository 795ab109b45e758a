import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { CreateAgent } from '../../../sdk/typescript/generated';
import { answerOf, api, problemOf } from '../api/client';
import { bodyOf, type Document, type Section } from './schema';

/** Largest page size of the API. Agents beyond it are reachable by their address. */
const MOST = 100;

export const useAgents = () =>
  useQuery({
    queryKey: ['agents'],
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: MOST };
      const answer = await answerOf(api.GET('/api/agents', { params: { query }, signal }));
      return Array.isArray(answer) ? answer : answer.data;
    },
    staleTime: 60_000,
  });

/** Display names by id; empty until they are loaded. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const agents = useAgents();
  return new Map(agents.data?.map(({ id, display_name: name }) => [id, name]));
}

export const useAgent = (agentId: string) =>
  useQuery({
    queryKey: ['agent', agentId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/agent/{agent_id}', { params: { path: { agent_id: agentId } }, signal })),
  });

export const VERSIONS_PER_PAGE = 20;

export const useVersions = (agentId: string, page: number) =>
  useQuery({
    queryKey: ['agent', agentId, 'versions', page],
    queryFn: ({ signal }) => {
      const params = { path: { agent_id: agentId }, query: { page, page_size: VERSIONS_PER_PAGE } };
      return answerOf(api.GET('/api/agent/{agent_id}/versions', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** The agent with the configuration of a version. */
export const useVersion = (agentId: string, version: number) =>
  useQuery({
    queryKey: ['agent', agentId, 'version', version],
    queryFn: ({ signal }) => {
      const params = { path: { agent_id: agentId }, query: { version } };
      return answerOf(api.GET('/api/agent/{agent_id}', { params, signal }));
    },
    // A version never changes.
    staleTime: Infinity,
  });

export function useRestore(agentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => {
      const params = { path: { agent_id: agentId } };
      return answerOf(api.POST('/api/agent/{agent_id}/restore', { params, body: { version } }));
    },
    onSuccess: () => changed(queries, agentId),
  });
}

const changed = (queries: QueryClient, agentId: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['agent', agentId] }),
    queries.invalidateQueries({ queryKey: ['agents'] }),
  ]);

export function useCreateAgent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateAgent) => answerOf(api.POST('/api/create-agent', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
}

/** The API's OpenAPI document, from which the forms are built. */
export const useDocument = () =>
  useQuery({
    queryKey: ['document'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/api/openapi.json', { signal });
      if (!response.ok) throw await problemOf(response);
      return (await response.json()) as Document;
    },
    staleTime: Infinity,
  });

/** The form is built at run time, so its values have no static type. The API checks them. */
type Written = never;

export function useSaveSection(agentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ section, change }: { section: Section; change: Record<string, unknown> }) => {
      const options = { params: { path: { agent_id: agentId } }, body: bodyOf(section, change) as Written };
      switch (section) {
        case 'persona':
          return answerOf(api.PATCH('/api/agent/{agent_id}/persona', options));
        case 'training':
          return answerOf(api.PATCH('/api/agent/{agent_id}/training', options));
        case 'experience':
          return answerOf(api.PATCH('/api/agent/{agent_id}/experience', options));
        case 'analysis':
          return answerOf(api.PATCH('/api/agent/{agent_id}/analysis', options));
        case 'deployment':
          return answerOf(api.PATCH('/api/agent/{agent_id}/deployment', options));
      }
    },
    onSuccess: () => changed(queries, agentId),
  });
}
