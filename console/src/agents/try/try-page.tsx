import { getRouteApi } from '@tanstack/react-router';
import type { Agent } from '../../../../sdk/typescript/generated';
import { useMay } from '../../app/session';
import { optionsWith, Field } from '../../parts/field';
import { PageHead } from '../../parts/page-head';
import { QueryResult, Empty } from '../../parts/states';
import { useAgents } from '../queries';
import { TryAgent } from './try-agent';

const route = getRouteApi('/try');

/** Page on which the user selects an agent and talks or types to it. */
export function TryPage() {
  const agents = useAgents();
  const mayTry = useMay('operate');
  return (
    <>
      <PageHead title="Try an agent" />
      <section className="card trying" aria-label="Session">
        {mayTry ? (
          <QueryResult query={agents} of="the agents">
            {(found) => <AgentChoice agents={found} />}
          </QueryResult>
        ) : (
          <Empty title="Your key can’t make calls">
            <p>A session counts as a call, so it needs a key with the operate scope.</p>
          </Empty>
        )}
      </section>
    </>
  );
}

function AgentChoice({ agents }: { agents: readonly Agent[] }) {
  const { agent: requested } = route.useSearch();
  const navigate = route.useNavigate();
  const agentId = requested ?? agents[0]?.id;
  if (agentId === undefined) {
    return (
      <Empty title="No agents yet">
        <p>Create an agent first.</p>
      </Empty>
    );
  }
  const choices = agents.map(({ id, display_name: name }) => [id, name] as const);
  return (
    <TryAgent
      // Selecting another agent remounts the panel, which ends the session.
      key={agentId}
      agentId={agentId}
      name={agents.find(({ id }) => id === agentId)?.display_name ?? 'the agent'}
      choice={(isRunning) => (
        <Field label="Agent">
          {(inputProps) => (
            <select
              {...inputProps}
              value={agentId}
              disabled={isRunning}
              onChange={({ target }) => void navigate({ search: { agent: target.value }, replace: true })}
            >
              {optionsWith(choices, agentId)}
            </select>
          )}
        </Field>
      )}
    />
  );
}
