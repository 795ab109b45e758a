import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { CreateAgent } from '../../../sdk/typescript/generated';
import { api, problemOf } from '../api/client';
import { bodyOf, type Document, type Section } from './schema';

/** The API's largest page size. Agents beyond the first page can only be opened by URL. */
const PAGE_SIZE = 100;

export const useAgents = () =>
  useQuery({
    queryKey: ['agents'],
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: PAGE_SIZE };
      const answer = await api.get('/api/agents', { query, signal });
      return Array.isArray(answer) ? answer : answer.data;
    },
    staleTime: 60_000,
  });

/** Maps agent ids to display names. Empty until the agents are loaded. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const agents = useAgents();
  return new Map(agents.data?.map(({ id, display_name: name }) => [id, name]));
}

export const useAgent = (agentId: string) =>
  useQuery({
    queryKey: ['agent', agentId],
    queryFn: ({ signal }) => api.get('/api/agent/{agent_id}', { path: { agent_id: agentId }, signal }),
  });

export const VERSIONS_PER_PAGE = 20;

export const useVersions = (agentId: string, page: number) =>
  useQuery({
    queryKey: ['agent', agentId, 'versions', page],
    queryFn: ({ signal }) => {
      const query = { page, page_size: VERSIONS_PER_PAGE };
      return api.get('/api/agent/{agent_id}/versions', { path: { agent_id: agentId }, query, signal });
    },
    placeholderData: keepPreviousData,
  });

/** Fetches an agent with the configuration of the given version. */
export const useVersion = (agentId: string, version: number) =>
  useQuery({
    queryKey: ['agent', agentId, 'version', version],
    queryFn: ({ signal }) =>
      api.get('/api/agent/{agent_id}', { path: { agent_id: agentId }, query: { version }, signal }),
    // A version never changes.
    staleTime: Infinity,
  });

export function useRestore(agentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (version: number) =>
      api.post('/api/agent/{agent_id}/restore', { path: { agent_id: agentId }, body: { version } }),
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
    mutationFn: (body: CreateAgent) => api.post('/api/create-agent', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
}

/** Fetches the API's OpenAPI document, from which the forms are built. */
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

/** The form is built at run time, so its values have no static type. The API validates them. */
type UntypedBody = never;

export function useSaveSection(agentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ section, change }: { section: Section; change: Record<string, unknown> }) => {
      const options = { path: { agent_id: agentId }, body: bodyOf(section, change) as UntypedBody };
      switch (section) {
        case 'persona':
          return api.patch('/api/agent/{agent_id}/persona', options);
        case 'training':
          return api.patch('/api/agent/{agent_id}/training', options);
        case 'experience':
          return api.patch('/api/agent/{agent_id}/experience', options);
        case 'analysis':
          return api.patch('/api/agent/{agent_id}/analysis', options);
        case 'deployment':
          return api.patch('/api/agent/{agent_id}/deployment', options);
      }
    },
    onSuccess: () => changed(queries, agentId),
  });
}
