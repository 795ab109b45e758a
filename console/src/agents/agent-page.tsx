import { getRouteApi, Link } from '@tanstack/react-router';
import { titleOf } from '../format/values';
import { PageHead } from '../parts/page-head';
import { Answer } from '../parts/states';
import { Status } from '../parts/status';
import { useAgent, useDocument } from './queries';
import { groupOfSection, SECTIONS } from './schema';
import { SectionForm } from './section-form';

const route = getRouteApi('/agents/$agentId');

export function AgentPage() {
  const { agentId } = route.useParams();
  const { section = 'persona' } = route.useSearch();
  const agent = useAgent(agentId);
  const description = useDocument();
  return (
    <Answer query={agent} of="the agent">
      {(found) => (
        <>
          <PageHead
            title={found.display_name}
            back={<Link to="/agents">Agents</Link>}
            beside={<Status of={found.status} />}
          >
            <a className="button" href="/playground">
              Talk to it
            </a>
          </PageHead>
          <nav aria-label="Sections" className="sections">
            {SECTIONS.map((each) => (
              <Link
                key={each}
                to="/agents/$agentId"
                params={{ agentId }}
                search={{ section: each }}
                aria-current={each === section ? 'page' : undefined}
              >
                {titleOf(each)}
              </Link>
            ))}
          </nav>
          <Answer query={description} of="the form">
            {(read) => (
              <SectionForm
                key={`${section} ${found.last_edited_at}`}
                agentId={agentId}
                section={section}
                group={groupOfSection(read, section)}
                stored={found.config[section]}
              />
            )}
          </Answer>
        </>
      )}
    </Answer>
  );
}
