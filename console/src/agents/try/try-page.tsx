import { getRouteApi } from '@tanstack/react-router';
import type { Agent } from '../../../../sdk/typescript/generated';
import { useMay } from '../../app/session';
import { optionsWith } from '../../parts/choice';
import { Field } from '../../parts/field';
import { PageHead } from '../../parts/page-head';
import { Answer, Empty } from '../../parts/states';
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
          <Answer query={agents} of="the agents">
            {(found) => <Choosing agents={found} />}
          </Answer>
        ) : (
          <Empty title="Your key can’t make calls">
            <p>A session is a call. It needs a key with the scope operate.</p>
          </Empty>
        )}
      </section>
    </>
  );
}

function Choosing({ agents }: { agents: readonly Agent[] }) {
  const { agent: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const agentId = asked ?? agents[0]?.id;
  if (agentId === undefined) {
    return (
      <Empty title="No agents yet">
        <p>Create an agent first.</p>
      </Empty>
    );
  }
  const names = agents.map(({ id, display_name: name }) => [id, name] as const);
  return (
    <TryAgent
      // Selecting another agent remounts the panel, which ends the session.
      key={agentId}
      agentId={agentId}
      name={agents.find(({ id }) => id === agentId)?.display_name ?? 'the agent'}
      choice={(isRunning) => (
        <Field label="Agent">
          {(ties) => (
            <select
              {...ties}
              value={agentId}
              disabled={isRunning}
              onChange={({ target }) => void navigate({ search: { agent: target.value }, replace: true })}
            >
              {optionsWith(names, agentId)}
            </select>
          )}
        </Field>
      )}
    />
  );
}
