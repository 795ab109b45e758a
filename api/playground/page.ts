import { placesBar, TOKENS } from '../http/places';

/** The static page. Texts of its states are in `browser/words.mjs`. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>Try an agent</title>
    <link rel="icon" type="image/svg+xml" href="/playground/icon.svg">
    <link rel="stylesheet" href="${TOKENS}">
    <link rel="stylesheet" href="/playground/page.css">
    <script src="/playground/livekit-client.js" defer></script>
    <script src="/playground/page.mjs" type="module"></script>
  </head>
  <body>
    ${placesBar('/playground')}
    <header>
      <h1>Try an agent</h1>
      <p>Talk or write to one of your agents in this browser.</p>
      <button id="forget" type="button" class="quiet" hidden>Use another key</button>
    </header>
    <main>
      <noscript><p class="problem">This page needs JavaScript.</p></noscript>

      <form id="key-form" class="card">
        <label for="key">API key</label>
        <div class="row">
          <input id="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="key-hint">
          <button id="show-agents" class="primary">Show agents</button>
        </div>
        <p id="key-hint" class="hint">The key stays in this tab and is forgotten when you close it.</p>
      </form>

      <section id="session" class="card" aria-label="Session" hidden>
        <label for="agent">Agent</label>
        <div class="row">
          <select id="agent"></select>
          <button id="start" type="button" class="primary">Start talking</button>
          <button id="start-typing" type="button">Type instead</button>
          <button id="stop" type="button" class="danger" hidden>Stop</button>
        </div>
        <div id="status" class="status" data-tone="idle">
          <span class="dot" aria-hidden="true"></span>
          <p id="status-text" role="status"></p>
          <span id="clock" class="clock" aria-label="Time so far" role="timer" hidden></span>
        </div>
        <div id="microphone" class="microphone" hidden>
          <button id="mute" type="button" aria-pressed="false">Mute</button>
          <div id="level" class="level" role="meter" aria-label="Microphone level"
               aria-valuemin="0" aria-valuemax="100" aria-valuenow="0"><div id="level-bar"></div></div>
        </div>
        <button id="unblock" type="button" hidden>Play the agent's voice</button>
        <p id="models" class="hint" hidden></p>
        <div id="speech" class="notice" role="note" aria-label="Missing abilities of the agent" hidden>
          <p id="speech-text"></p>
          <ul id="speech-missing"></ul>
        </div>
      </section>

      <p id="problem" class="problem" role="alert" hidden></p>

      <section id="captions-card" class="card" aria-labelledby="captions-title" hidden>
        <h2 id="captions-title">Captions</h2>
        <p id="no-captions" class="hint">The conversation appears here.</p>
        <div id="captions" class="captions" role="log" aria-live="polite" aria-labelledby="captions-title" tabindex="0"></div>
        <p id="thinking" class="hint" hidden>The agent is thinking…</p>
        <form id="say-form" hidden>
          <label for="say">Message</label>
          <div class="row">
            <input id="say" autocomplete="off" maxlength="2000" enterkeyhint="send" placeholder="Type what you want to say">
            <button id="send" class="primary">Send</button>
          </div>
        </form>
      </section>
      <audio id="audio" autoplay></audio>
    </main>
  </body>
</html>
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#0f6e64"/>
  <path d="M8 13v6M13 9v14M19 6v20M24 12v8" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
</svg>
`;
