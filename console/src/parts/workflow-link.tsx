import { useSession } from '../app/session';

/** A line of a list of facts: the workflow in Temporal's Web UI. Nothing where the operator names none. */
export function WorkflowLink({ of, id }: { of: 'campaign' | 'call'; id: string }) {
  const pages = useWorkflowPages();
  return pages && <Fact term="Workflow" href={pages[of].replace('{id}', id)} />;
}

/** As `WorkflowLink`, to the list of all workflows. */
export function WorkflowsLink() {
  const pages = useWorkflowPages();
  return pages && <Fact term="Workflows" href={pages.all} />;
}

const useWorkflowPages = () => useSession(true).data?.workflow_pages ?? null;

function Fact({ term, href }: { term: string; href: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>
        <a href={href} target="_blank" rel="noreferrer">
          Open in Temporal
        </a>
      </dd>
    </>
  );
}
