import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChatMessage, KeptConversation } from '../../../../sdk/typescript/generated';
import { api } from '../../api/client';

const keyOf = (agentId: string) => ['agent', agentId, 'conversations'];
const pathOf = (agentId: string) => ({ path: { agent_id: agentId } });

const read = async (agentId: string, signal?: AbortSignal): Promise<KeptConversation[]> => {
  const request = { ...pathOf(agentId), ...(signal && { signal }) };
  return (await api.get('/api/agent/{agent_id}/conversations', request)).conversations;
};

export const useConversations = (agentId: string) =>
  useQuery({ queryKey: keyOf(agentId), queryFn: ({ signal }) => read(agentId, signal) });

/** Saves the agent's whole list of conversations. */
export function useKeep(agentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (conversations: KeptConversation[]) =>
      api.put('/api/agent/{agent_id}/conversations', { ...pathOf(agentId), body: { conversations } }),
    onSuccess: (_done, conversations) => queries.setQueryData(keyOf(agentId), conversations),
  });
}

/** The call history shows this number for the user of a browser session. */
const BROWSER_USER = 'web-user';

/** Returns the transcript of the agent's last browser session, or null if none of the latest calls is one. */
export async function lastTryOut(agentId: string): Promise<ChatMessage[] | null> {
  const query = { agent_id: agentId, page_size: 50 };
  const { data } = await api.get('/api/call-history', { query });
  const found = data.find(
    ({ from_number: from, chat_history: lines }) =>
      from === BROWSER_USER && lines.some(({ role }) => role === 'user'),
  );
  return found?.chat_history ?? null;
}
