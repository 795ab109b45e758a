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
        <Elsewhere href={pages[of].replace('{id}', id)}>Open in Temporal</Elsewhere>
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
        <Elsewhere href={pages.list}>All in Temporal</Elsewhere>
      </dd>
    </>
  );
}

const usePages = () => useSession(true).data?.workflow_pages ?? null;

const Elsewhere = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);
