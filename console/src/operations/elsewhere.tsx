export function Elsewhere() {
  return (
    <section className="card" aria-labelledby="elsewhere">
      <header>
        <h2 id="elsewhere">Elsewhere</h2>
      </header>
      <ul className="body">
        <li>
          <a href="/playground">Talk to an agent</a> in the browser
        </li>
        <li>
          <a href="/api/docs">The API</a>, with its own page
        </li>
      </ul>
    </section>
  );
}
