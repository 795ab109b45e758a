import { useSession } from '../app/session';

/** To the workflow in Temporal's Web UI; nothing where the operator names none. */
export function WorkflowLink({ of, id }: { of: 'campaign' | 'call'; id: string }) {
  const { data: session } = useSession(true);
  const pages = session?.workflow_pages;
  if (pages === null || pages === undefined) return null;
  return (
    <a href={pages[of].replace('{id}', id)} target="_blank" rel="noreferrer">
      Workflow in Temporal
    </a>
  );
}
