import { BAR_STYLE } from '../http/places';

/** Works from 320 px up. The colours are the console's. */
export const STYLE = `${BAR_STYLE}
* {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: var(--text) / 1.45 var(--font);
  overflow-wrap: anywhere;
}

body > :is(header, main) {
  max-width: 42rem;
  margin-inline: auto;
  padding-inline: var(--gap-l);
}

body > main {
  padding-bottom: 3rem;
}

header {
  display: grid;
  grid-template-columns: 1fr auto;
  align-items: center;
  gap: 0.15rem 0.5rem;
  margin-block: var(--gap-l);
}

h1 {
  display: flex;
  align-items: center;
  min-height: 2.75rem;
  margin: 0;
  font-size: var(--text-xl);
  line-height: 1.25;
}

header p {
  grid-column: 1 / -1;
  grid-row: 2;
  margin: 0;
  color: var(--soft);
}

h2,
label {
  display: block;
  margin: 0 0 0.5rem;
  font-size: 0.95rem;
  font-weight: 600;
}

.card {
  margin-bottom: 1rem;
  padding: 1.1rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}

.row {
  display: flex;
  gap: 0.6rem;
}

input,
select {
  flex: 1;
  min-width: 0;
}

input,
select,
button {
  min-height: var(--control);
  padding: 0.25rem 0.75rem;
  background: var(--surface);
  border: 1px solid var(--edge);
  border-radius: var(--radius);
  color: inherit;
  font: inherit;
}

button {
  cursor: pointer;
  white-space: nowrap;
  font-weight: 600;
}

button:disabled,
select:disabled {
  cursor: default;
  opacity: 0.6;
}

.primary {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--accent-ink);
}

.danger {
  background: transparent;
  border-color: var(--bad);
  color: var(--bad);
}

.quiet {
  margin-right: -0.5rem;
  padding: 0.5rem;
  border-color: transparent;
  background: transparent;
  color: var(--accent);
  font-size: 0.95rem;
}

:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}

.hint {
  margin: 0.5rem 0 0;
  color: var(--soft);
  font-size: 0.9rem;
}

.status {
  display: flex;
  align-items: baseline;
  gap: 0.6rem;
  margin-top: 1rem;
}

.status p {
  flex: 1;
  margin: 0;
}

.dot {
  flex: none;
  width: 0.65rem;
  height: 0.65rem;
  border-radius: 50%;
  background: var(--edge);
}

[data-tone="busy"] .dot {
  background: var(--accent);
}

[data-tone="wait"] .dot {
  background: var(--wait);
}

[data-tone="live"] .dot {
  background: var(--live);
}

[data-tone="bad"] .dot {
  background: var(--bad);
}

@media (prefers-reduced-motion: no-preference) {
  [data-tone="busy"] .dot,
  [data-tone="wait"] .dot {
    animation: pulse 1.2s ease-in-out infinite alternate;
  }
}

@keyframes pulse {
  to {
    opacity: 0.25;
  }
}

.clock {
  color: var(--soft);
  font-variant-numeric: tabular-nums;
}

.microphone {
  display: flex;
  align-items: center;
  gap: 0.8rem;
  margin-top: 1rem;
}

.microphone [aria-pressed="true"] {
  background: var(--ink);
  color: var(--surface);
}

.level {
  flex: 1;
  height: 0.6rem;
  overflow: hidden;
  border-radius: 0.3rem;
  background: var(--line);
}

.level div {
  height: 100%;
  background: var(--live);
  transform: scaleX(0);
  transform-origin: left;
}

[aria-pressed="true"] + .level div {
  background: var(--edge);
}

#unblock {
  margin-top: 1rem;
}

.notice {
  margin-top: 1rem;
  padding: 0.7rem 0.9rem;
  border-left: 3px solid var(--wait);
  background: var(--ground);
  font-size: 0.95rem;
}

.notice p,
.notice ul {
  margin: 0;
}

.notice ul {
  margin-top: 0.35rem;
  padding-left: 1.1rem;
  color: var(--soft);
}

#say-form {
  margin-top: 0.9rem;
}

.problem {
  margin: 0 0 1rem;
  padding: 0.8rem 1.1rem;
  background: var(--bad-soft);
  border: 1px solid var(--bad);
  border-radius: var(--radius);
  color: var(--bad);
}

.captions {
  max-height: min(28rem, 60vh);
  overflow-y: auto;
}

.line {
  width: fit-content;
  max-width: 88%;
  margin: 0.5rem 0;
  padding: 0.45rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: var(--radius);
}

.line p {
  margin: 0;
}

.line.user {
  margin-left: auto;
  background: var(--accent-soft);
}

.line.interim p {
  color: var(--soft);
}

.cut {
  color: var(--soft);
  font-size: 0.8rem;
  font-style: italic;
}

.speaker {
  color: var(--soft);
  font-size: 0.8rem;
  font-weight: 600;
}

@media (max-width: 26rem) {
  .row {
    flex-direction: column;
  }
}

/* Inside the console, which shows the heading and the agent's name itself. */
.beside {
  padding: 0.75rem 1rem;
  background: var(--surface);
}

.beside :is(#agent, label[for='agent']) {
  display: none;
}

.beside > :is(.places, header) {
  display: none;
}

.beside > main {
  padding: 0;
}

.beside .card {
  padding: 0;
  border: 0;
}

.beside .captions {
  max-height: 14rem;
}
`;
