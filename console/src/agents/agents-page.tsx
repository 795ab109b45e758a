import { Link } from '@tanstack/react-router';
import { useMay } from '../app/session';
import { instantOf } from '../format/time';
import { PageHead } from '../parts/page-head';
import { QueryResult, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { NewAgent } from './new-agent';
import { useAgents } from './queries';

export function AgentsPage() {
  const agents = useAgents();
  const mayConfigure = useMay('configure');
  return (
    <>
      <PageHead title="Agents" />
      <section className="card" aria-label="Agents">
        {mayConfigure && <NewAgent />}
        <QueryResult query={agents} of="the agents">
          {(found) =>
            found.length === 0 ? (
              <Empty title="No agents yet">
                <p>
                  You can create and edit agents here or through <a href="/api/docs">the API</a>.
                </p>
              </Empty>
            ) : (
              <div className="scroll">
                <table className="folds">
                  <thead>
                    <tr>
                      <th>Agent</th>
                      <th>Status</th>
                      <th>API name</th>
                      <th>Last edited</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.map((agent) => (
                      <tr key={agent.id}>
                        <td>
                          <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="row">
                            {agent.display_name}
                          </Link>
                        </td>
                        <td>
                          <Status of={agent.status} />
                        </td>
                        <td className="mono soft">{agent.agent_name}</td>
                        <td className="soft nowrap">{instantOf(agent.last_edited_at)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </QueryResult>
      </section>
    </>
  );
}
