/** Connects the page's elements with the session. */
import { openApi, sessionOfConsole } from './api.mjs';
import { startSession } from './session.mjs';
import { clock, endText, modelsText, PROBLEMS, speechText, STATES } from './words.mjs';

const KEPT_KEY = 'playground-api-key';
/** States in which captions are shown, in which a conversation takes place, and in which it is over. */
const HEARS = ['queued', 'calling', 'talking', 'writing'];
const CONVERSES = ['talking', 'writing'];
const ENDS = ['stopping', 'ended', 'failed'];

/** @returns {any} */
const by = (id) => document.getElementById(id);
const ui = {
  keyForm: by('key-form'),
  key: by('key'),
  showAgents: by('show-agents'),
  forget: by('forget'),
  session: by('session'),
  agent: by('agent'),
  start: by('start'),
  startTyping: by('start-typing'),
  stop: by('stop'),
  status: by('status'),
  statusText: by('status-text'),
  clock: by('clock'),
  microphone: by('microphone'),
  mute: by('mute'),
  level: by('level'),
  levelBar: by('level-bar'),
  unblock: by('unblock'),
  speech: by('speech'),
  speechText: by('speech-text'),
  speechMissing: by('speech-missing'),
  models: by('models'),
  thinking: by('thinking'),
  sayForm: by('say-form'),
  say: by('say'),
  send: by('send'),
  problem: by('problem'),
  captionsCard: by('captions-card'),
  captions: by('captions'),
  noCaptions: by('no-captions'),
  audio: by('audio'),
};

let api = null;
let running = null;
let talkingSince = null;

const showProblem = (problem) => {
  ui.problem.hidden = problem === null;
  ui.problem.textContent = problem === null ? '' : (PROBLEMS[problem] ?? PROBLEMS.refused);
};

const show = (state) => {
  const { tone, text } = STATES[state];
  const agent = ui.agent.selectedOptions[0]?.textContent ?? 'the agent';
  say(tone, text({ agent }));
  document.body.dataset.state = state;
  if (HEARS.includes(state)) ui.captionsCard.hidden = false;
  if (CONVERSES.includes(state)) talkingSince ??= Date.now();
  if (ENDS.includes(state)) talkingSince = null;
  ui.send.disabled = !CONVERSES.includes(state);
  showClock();
};

const say = (tone, text) => {
  ui.status.dataset.tone = tone;
  // Setting the same text again would make screen readers repeat it.
  if (ui.statusText.textContent !== text) ui.statusText.textContent = text;
};

const showLevel = (level) => {
  ui.levelBar.style.transform = `scaleX(${level.toFixed(2)})`;
  ui.level.setAttribute('aria-valuenow', String(Math.round(level * 100)));
};

const showSpeech = (speech) => {
  const models = modelsText(speech);
  ui.models.hidden = models === null;
  ui.models.textContent = models ?? '';
  const lacking = speechText(speech);
  ui.speech.hidden = lacking === null;
  ui.speechText.textContent = lacking?.text ?? '';
  ui.speechMissing.replaceChildren(
    ...(lacking?.missing ?? []).map((text) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }),
  );
};

const showClock = () => {
  ui.clock.hidden = talkingSince === null;
  if (talkingSince !== null) ui.clock.textContent = clock(Date.now() - talkingSince);
};
setInterval(showClock, 500);

/** A session of the console can't be forgotten here. */
const use = async (credentials, agentId) => {
  showProblem(null);
  ui.showAgents.disabled = true;
  const key = 'key' in credentials ? credentials.key : null;
  try {
    api = openApi(credentials);
    const agents = await api.agents();
    if (key !== null) sessionStorage.setItem(KEPT_KEY, key);
    offer(agents, agentId);
    ui.forget.hidden = key === null;
  } catch (error) {
    if (error.problem === 'keyRefused') sessionStorage.removeItem(KEPT_KEY);
    ui.key.focus();
    showProblem(error.problem ?? 'unreachable');
  } finally {
    ui.showAgents.disabled = false;
  }
};

const offer = (agents, agentId) => {
  ui.key.value = '';
  ui.keyForm.hidden = true;
  ui.session.hidden = false;
  ui.forget.hidden = false;
  ui.agent.replaceChildren(
    ...agents.map(({ id, display_name }) => {
      const option = document.createElement('option');
      option.value = id;
      option.textContent = display_name;
      return option;
    }),
  );
  // Setting an unknown id would deselect every agent.
  if (agents.some(({ id }) => id === agentId)) ui.agent.value = agentId;
  ui.start.disabled = agents.length === 0;
  ui.startTyping.disabled = agents.length === 0;
  show('ready');
  if (agents.length === 0) showProblem('noAgents');
  // In a frame the surrounding page keeps the focus.
  else if (document.body.classList.contains('beside')) return;
  else if (agentId === undefined) ui.agent.focus();
  else ui.start.focus();
};

const forgetKey = () => {
  running?.stop();
  sessionStorage.removeItem(KEPT_KEY);
  api = null;
  showProblem(null);
  ui.session.hidden = true;
  ui.captionsCard.hidden = true;
  ui.forget.hidden = true;
  ui.keyForm.hidden = false;
  delete document.body.dataset.state;
  ui.key.focus();
};

const setRunning = (isRunning, withMicrophone) => {
  ui.start.hidden = isRunning;
  ui.startTyping.hidden = isRunning;
  ui.stop.hidden = !isRunning;
  ui.agent.disabled = isRunning;
  ui.microphone.hidden = !isRunning || !withMicrophone;
  ui.unblock.hidden = true;
  ui.thinking.hidden = true;
  ui.sayForm.hidden = !isRunning;
  setMuted(false);
  if (isRunning) ui.stop.focus();
  else (withMicrophone ? ui.start : ui.startTyping).focus();
};

const setMuted = (isMuted) => {
  ui.mute.setAttribute('aria-pressed', String(isMuted));
  void running?.setMuted(isMuted);
};

const start = async (withMicrophone) => {
  showProblem(null);
  ui.captions.replaceChildren();
  ui.captionsCard.hidden = true;
  ui.speech.hidden = true;
  ui.models.hidden = true;
  setRunning(true, withMicrophone);
  running = startSession({
    livekit: globalThis.LivekitClient,
    api,
    agentId: ui.agent.value,
    withMicrophone,
    captions: ui.captions,
    thinking: (isThinking) => (ui.thinking.hidden = !isThinking),
    speech: showSpeech,
    audio: { element: ui.audio, blocked: (isBlocked) => (ui.unblock.hidden = !isBlocked) },
    show: (state) => {
      show(state);
      // A person who chose to type wants to start typing.
      if (state === 'writing') ui.say.focus();
    },
    level: showLevel,
  });
  const { result } = running;
  try {
    const { record } = await result;
    show('ended');
    if (record !== null) say('idle', endText(record));
  } catch (error) {
    show('failed');
    showProblem(error.problem ?? 'refused');
  } finally {
    running = null;
    setRunning(false, withMicrophone);
  }
};

const send = async () => {
  const text = ui.say.value.trim();
  if (text === '' || running === null) return;
  ui.say.value = '';
  if (!(await running.say(text)) && ui.say.value === '') ui.say.value = text;
  ui.say.focus();
};

ui.keyForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = ui.key.value.trim();
  if (key !== '') void use({ key });
});
ui.forget.addEventListener('click', forgetKey);
ui.start.addEventListener('click', () => void start(true));
ui.startTyping.addEventListener('click', () => void start(false));
ui.sayForm.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!ui.send.disabled) void send();
});
ui.stop.addEventListener('click', () => running?.stop());
ui.mute.addEventListener('click', () => setMuted(ui.mute.getAttribute('aria-pressed') !== 'true'));
ui.unblock.addEventListener('click', () => void running?.hearAgent());
addEventListener('pagehide', () => running?.leave());
new MutationObserver(() => (ui.noCaptions.hidden = ui.captions.childElementCount > 0)).observe(ui.captions, {
  childList: true,
});

/**
 * Reads the key and agent that `npm run talk` puts in the fragment, which isn't sent to any server. It works on this machine only, because
 * elsewhere a link could make a person talk in another one's name.
 */
const handedOver = () => {
  const { hash, hostname, pathname } = location;
  if (hash === '') return null;
  history.replaceState(null, '', pathname);
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') return null;
  const given = new URLSearchParams(hash.slice(1));
  const [key, agentId] = [given.get('key'), given.get('agent')];
  return key === null ? null : { key, agentId: agentId ?? undefined };
};

/** A person who comes from the console, or sees the page inside it, has a session and has chosen the agent. */
const fromConsole = async () => {
  const asked = new URLSearchParams(location.search);
  const agentId = asked.get('agent');
  document.body.classList.toggle('beside', asked.has('beside'));
  const session = agentId === null ? null : await sessionOfConsole();
  return session === null ? null : { session, agentId };
};

const begin = async () => {
  const handed = handedOver();
  if (handed !== null) return use({ key: handed.key }, handed.agentId);
  const signedIn = await fromConsole();
  if (signedIn !== null) return use(signedIn.session, signedIn.agentId);
  const key = sessionStorage.getItem(KEPT_KEY);
  if (key !== null) await use({ key });
};
void begin();
