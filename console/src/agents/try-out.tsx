import { Link } from '@tanstack/react-router';

/** The playground, with the agent of the form and the session of the console: a person talks to it, or types, without leaving. */
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
      <p className="soft small">It runs with what is saved. A session is a call, with its cost.</p>
      <iframe
        src={`/playground?agent=${encodeURIComponent(agentId)}&beside`}
        title={`Try ${name}`}
        allow="microphone; autoplay"
      />
    </section>
  );
}
