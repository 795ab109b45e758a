import { useState } from 'react';
import type { AgentWithConfig, KeptConversation } from '../../../../sdk/typescript/generated';
import { useMay } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { useNotice } from '../../parts/notices';
import { Answer, Empty } from '../../parts/states';
import { languageOf } from '../browser-session';
import { ConversationForm } from './conversation-form';
import { ConversationRow } from './conversation-row';
import { conversationOf, draftOf, draftOfCall, NEW_DRAFT, type Draft } from './draft';
import { lastTryOut, useConversations, useKeep } from './queries';
import { useRuns } from './use-runs';

/** Lists the agent's saved test conversations, with results of the runs started on this page. */
export function Conversations({ agent }: { agent: AgentWithConfig }) {
  const conversations = useConversations(agent.id);
  return (
    <Answer query={conversations} of="the conversations">
      {(kept) => <Kept agent={agent} kept={kept} />}
    </Answer>
  );
}

interface Editing {
  draft: Draft;
  /** Index in the list; null for a new conversation. */
  at: number | null;
}

function Kept({ agent, kept }: { agent: AgentWithConfig; kept: KeptConversation[] }) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const keeping = useKeep(agent.id);
  const report = useNotice();

  const edit = (next: Editing | null): void => {
    keeping.reset();
    setEditing(next);
  };
  const save = (draft: Draft): void => {
    const at = editing?.at ?? null;
    const made = conversationOf(draft, at === null ? undefined : kept[at]);
    const all = at === null ? [...kept, made] : kept.map((each, index) => (index === at ? made : each));
    keeping.mutate(all, {
      onSuccess: () => {
        setEditing(null);
        report('Conversation saved.');
      },
    });
  };
  const remove = async (at: number): Promise<void> => {
    await keeping.mutateAsync(kept.filter((_each, index) => index !== at));
    setEditing(null);
    report('Conversation removed.');
  };

  return (
    <div className="stack">
      {editing !== null && (
        <ConversationForm
          key={editing.at ?? 'new'}
          draft={editing.draft}
          error={keeping.error}
          isSaving={keeping.isPending}
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
          <span>Save what people say to the agent, and run it after each change.</span>
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
            They run one after the other with the saved agent and its model. Each is billed like a call.
          </p>
        </>
      )}
    </section>
  );
}

function Additions({ agentId, onEdit }: { agentId: string; onEdit: (editing: Editing) => void }) {
  const report = useNotice();
  async function fromTryOut(): Promise<void> {
    const lines = await lastTryOut(agentId);
    if (lines === null) report('This agent has had no recent conversation in a browser.');
    else onEdit({ draft: draftOfCall(lines), at: null });
  }
  return (
    <>
      <button
        type="button"
        className="button"
        onClick={() => void fromTryOut().catch(() => report('The calls could not be loaded. Try again.'))}
      >
        From the last session
      </button>
      <button type="button" className="button" onClick={() => onEdit({ draft: NEW_DRAFT, at: null })}>
        Add
      </button>
    </>
  );
}
