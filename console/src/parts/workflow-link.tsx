import { useSession } from '../app/session';

/** A line of a list of facts: the workflow in Temporal's Web UI. Nothing where the operator names none. */
export function WorkflowLink({ of, id }: { of: 'campaign' | 'call'; id: string }) {
  const { data: session } = useSession(true);
  const pages = session?.workflow_pages;
  if (pages === null || pages === undefined) return null;
  return (
    <>
      <dt>Workflow</dt>
      <dd>
        <a href={pages[of].replace('{id}', id)} target="_blank" rel="noreferrer">
          Open in Temporal
        </a>
      </dd>
    </>
  );
}
