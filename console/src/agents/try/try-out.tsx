import { Link } from '@tanstack/react-router';
import { TryAgent } from './try-agent';

/** A session with the agent of the form, next to the form. */
export function TryOut({ agentId, name }: { agentId: string; name: string }) {
  return (
    <section className="card try-out" aria-labelledby="try-out">
      <header>
        <h2 id="try-out">Try it</h2>
        <div className="aside">
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            search={(before) => ({ ...before, try: undefined })}
            resetScroll={false}
            className="button plain"
          >
            Close
          </Link>
        </div>
      </header>
      <TryAgent key={agentId} agentId={agentId} name={name} />
    </section>
  );
}
