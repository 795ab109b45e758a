import type { ReactNode } from 'react';
import { useSession } from '../app/session';

/** A line of a list of facts: the workflow in Temporal's Web UI. Nothing where the operator names none. */
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

/** The same of all workflows. */
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
