import type { ReactNode } from 'react';
import { useSession } from '../app/session';

/** Link to the workflow in Temporal's Web UI. Renders nothing if the operator hasn't configured it. */
export function WorkflowLink({ of, id }: { of: 'campaign' | 'call'; id: string }) {
  const pages = usePages();
  if (pages === null) return null;
  return (
    <>
      <dt>Workflow</dt>
      <dd>
        <ExternalLink href={pages[of].replace('{id}', id)}>Open in Temporal</ExternalLink>
      </dd>
    </>
  );
}

/** Link to the list of workflows. */
export function WorkflowsLink() {
  const pages = usePages();
  if (pages === null) return null;
  return (
    <>
      <dt>Workflows</dt>
      <dd>
        <ExternalLink href={pages.list}>View all in Temporal</ExternalLink>
      </dd>
    </>
  );
}

const usePages = () => useSession().data?.workflow_pages ?? null;

const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);
