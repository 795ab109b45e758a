import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AgentWithConfig, KeptConversation, ChatMessage } from '../../../../sdk/typescript/generated';
import { useMay } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { useNotice } from '../../parts/notices';
import { QueryResult, Empty } from '../../parts/states';
import { languageOf } from '../browser-session';
import { api } from '../../api/client';
import { ConversationForm } from './conversation-form';
import { ConversationRow } from './conversation-row';
import { conversationOf, draftOf, draftOfCall, NEW_DRAFT, type Draft } from './draft';
import { useRuns } from './use-runs';

/** Lists the agent's saved test conversations, with results of the runs started on this page. */
export function Conversations({ agent }: { agent: AgentWithConfig }) {
  const conversations = useConversations(agent.id);
  return (
    <QueryResult query={conversations} of="the conversations">
      {(kept) => <Kept agent={agent} kept={kept} />}
    </QueryResult>
  );
}

interface Editing {
  draft: Draft;
  /** Index in the list; null for a new conversation. */
  at: number | null;
}

function Kept({ agent, kept }: { agent: AgentWithConfig; kept: KeptConversation[] }) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const saving = useSaveConversations(agent.id);
  const report = useNotice();

  const edit = (next: Editing | null): void => {
    saving.reset();
    setEditing(next);
  };
  const save = (draft: Draft): void => {
    const at = editing?.at ?? null;
    const saved = conversationOf(draft, at === null ? undefined : kept[at]);
    const all = at === null ? [...kept, saved] : kept.map((each, index) => (index === at ? saved : each));
    saving.mutate(all, {
      onSuccess: () => {
        setEditing(null);
        report('Conversation saved.');
      },
    });
  };
  const remove = async (at: number): Promise<void> => {
    await saving.mutateAsync(kept.filter((_each, index) => index !== at));
    setEditing(null);
    report('Conversation removed.');
  };

  return (
    <div className="stack">
      {editing !== null && (
        <ConversationForm
          key={editing.at ?? 'new'}
          draft={editing.draft}
          error={saving.error}
          isSaving={saving.isPending}
          onSave={save}
          onClose={() => edit(null)}
        >
          {editing.at !== null && <Removal of={editing.draft.title} at={editing.at} onRemove={remove} />}
        </ConversationForm>
      )}
      <List agent={agent} kept={kept} onEdit={edit} />
    </div>
  );
}

function Removal({ of, at, onRemove }: { of: string; at: number; onRemove: (at: number) => Promise<void> }) {
  return (
    <Confirm action="Remove" title={`Remove ${of}?`} isDanger onConfirm={() => onRemove(at)}>
      You can’t undo this.
    </Confirm>
  );
}

interface ListProps {
  agent: AgentWithConfig;
  kept: readonly KeptConversation[];
  onEdit: (editing: Editing) => void;
}

function List({ agent, kept, onEdit }: ListProps) {
  const mayChange = useMay('configure');
  const mayRun = useMay('operate');
  const { runs, isRunning, start, stop } = useRuns({ agentId: agent.id, language: languageOf(agent) });
  return (
    <section className="card" aria-labelledby="conversations">
      <header>
        <h2 id="conversations">Conversations</h2>
        <div className="aside buttons">
          {mayChange && <Additions agentId={agent.id} onEdit={onEdit} />}
          {isRunning ? (
            <button type="button" className="button danger" onClick={stop}>
              Stop
            </button>
          ) : (
            mayRun &&
            kept.length > 0 && (
              <button type="button" className="button primary" onClick={() => start(kept)}>
                Run all
              </button>
            )
          )}
        </div>
      </header>
      {kept.length === 0 ? (
        <Empty title="No conversations yet">
          <span>Save typical conversations, and run them after each change to the agent.</span>
        </Empty>
      ) : (
        <>
          <ol className="body">
            {kept.map((each, at) => (
              <ConversationRow
                key={at}
                conversation={each}
                run={runs.get(each)}
                onRun={mayRun && !isRunning ? () => start([each]) : undefined}
                onEdit={mayChange && !isRunning ? () => onEdit({ draft: draftOf(each), at }) : undefined}
              />
            ))}
          </ol>
          <p className="body soft small">
            Conversations run one at a time, with the saved version of the agent and its model. Each is billed
            like a call.
          </p>
        </>
      )}
    </section>
  );
}

function Additions({ agentId, onEdit }: { agentId: string; onEdit: (editing: Editing) => void }) {
  const report = useNotice();
  async function fromLastSession(): Promise<void> {
    const lines = await lastBrowserSession(agentId);
    if (lines === null) report('This agent has had no recent browser session.');
    else onEdit({ draft: draftOfCall(lines), at: null });
  }
  return (
    <>
      <button
        type="button"
        className="button"
        onClick={() => void fromLastSession().catch(() => report('The calls couldn’t be loaded. Try again.'))}
      >
        From the last session
      </button>
      <button type="button" className="button" onClick={() => onEdit({ draft: NEW_DRAFT, at: null })}>
        Add
      </button>
    </>
  );
}

const keyOf = (agentId: string) => ['agent', agentId, 'conversations'];
const pathOf = (agentId: string) => ({ path: { agent_id: agentId } });

const read = async (agentId: string, signal?: AbortSignal): Promise<KeptConversation[]> => {
  const request = { ...pathOf(agentId), ...(signal && { signal }) };
  return (await api.get('/api/agent/{agent_id}/conversations', request)).conversations;
};

const useConversations = (agentId: string) =>
  useQuery({ queryKey: keyOf(agentId), queryFn: ({ signal }) => read(agentId, signal) });

/** Saves the agent's whole list of conversations. */
function useSaveConversations(agentId: string) {
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
async function lastBrowserSession(agentId: string): Promise<ChatMessage[] | null> {
  const query = { agent_id: agentId, page_size: 50 };
  const { data } = await api.get('/api/call-history', { query });
  const found = data.find(
    ({ from_number: from, chat_history: lines }) =>
      from === BROWSER_USER && lines.some(({ role }) => role === 'user'),
  );
  return found?.chat_history ?? null;
}
