import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { AgentWithConfig } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { titleOf } from '../format/values';
import { QueriedPage, PageHead } from '../parts/page-head';
import { QueryResult, Loading } from '../parts/states';
import { Status } from '../parts/status';
import { VIEWS, type AgentView } from './filters';
import { useAgent, useDocument } from './queries';
import { groupOfSection, type Section } from './schema';
import { SectionForm } from './section-form';
import { Versions } from './versions';

const route = getRouteApi('/agents/$agentId');

const TryOut = lazy(async () => ({ default: (await import('./try/try-agent')).TryOut }));
const Conversations = lazy(async () => ({
  default: (await import('./conversations/conversations')).Conversations,
}));

export function AgentPage() {
  const { agentId } = route.useParams();
  const agent = useAgent(agentId);
  return (
    <QueriedPage query={agent} of="the agent" title="Agent" back={<Link to="/agents">Agents</Link>}>
      {(found) => <OneAgent key={agentId} agent={found} />}
    </QueriedPage>
  );
}

function OneAgent({ agent }: { agent: AgentWithConfig }) {
  const { section = 'persona', try: isTried = false } = route.useSearch();
  const mayTry = useMay('operate');
  const { id: agentId, display_name: name } = agent;
  const shown = <View of={section} agent={agent} />;
  return (
    <>
      <PageHead title={name} back={<Link to="/agents">Agents</Link>} beside={<Status of={agent.status} />}>
        {mayTry && !isTried && (
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            search={(before) => ({ ...before, try: true as const })}
            resetScroll={false}
            className="button"
          >
            Try it
          </Link>
        )}
      </PageHead>
      <nav aria-label="Sections" className="sections">
        {VIEWS.map((each) => (
          <Link
            key={each}
            to="/agents/$agentId"
            params={{ agentId }}
            search={(before) => ({ try: before.try, section: each })}
            aria-current={each === section ? 'page' : undefined}
          >
            {titleOf(each)}
          </Link>
        ))}
      </nav>
      {mayTry && isTried ? (
        <div className="columns">
          {shown}
          <Suspense fallback={<Loading of="the session" />}>
            <TryOut agentId={agentId} name={name} />
          </Suspense>
        </div>
      ) : (
        shown
      )}
    </>
  );
}

function View({ of, agent }: { of: AgentView; agent: AgentWithConfig }) {
  switch (of) {
    case 'versions':
      return <Versions agentId={agent.id} config={agent.config} />;
    case 'conversations':
      return (
        <Suspense fallback={<Loading of="the conversations" />}>
          <Conversations agent={agent} />
        </Suspense>
      );
    default:
      return <SectionOf agent={agent} section={of} />;
  }
}

function SectionOf({ agent, section }: { agent: AgentWithConfig; section: Section }) {
  const description = useDocument();
  return (
    <QueryResult query={description} of="the form">
      {(read) => (
        <SectionForm
          key={`${section} ${agent.last_edited_at}`}
          agentId={agent.id}
          section={section}
          group={groupOfSection(read, section)}
          stored={agent.config[section]}
        />
      )}
    </QueryResult>
  );
}
