import { Link } from '@tanstack/react-router';

/** The playground in a frame, with the form's agent and the console's session. */
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
      <p className="soft small">It uses the saved agent. A session is a call and costs as much.</p>
      <iframe
        src={`/playground?agent=${encodeURIComponent(agentId)}&beside`}
        title={`Try ${name}`}
        allow="microphone; autoplay"
      />
    </section>
  );
}
