/** Tests outbound and inbound calls over livekit-sip, a browser session, and a campaign whose worker is killed. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import WebSocket from 'ws';
import { campaignForm } from '../../../dev/demo/campaign';
import { repositoryRoot } from '../../../dev/stack/repository';
import { FIRST_VERSION } from '../deployment';
import type { Step } from '../steps';
import { expectEqual, LIVEKIT_PORT, until } from './api';
import { AGENT, BRIDGE } from './first-contact';
import { killed } from './kills';
import { CALL_OVER_WITHIN_MS, type Stage } from './stage';

const CALL = 'call to a phone over livekit-sip';
const CAMPAIGN = 'campaign of 8, worker killed in it';
const HANGS_UP = 201;
const SOON_MS = 90_000;

export const CALLS: readonly Step<Stage>[] = [
  { name: CALL, needs: [AGENT, BRIDGE], play: callToPhone },
  { name: 'captions of the call', needs: [CALL], play: captions },
  { name: 'recording of the call', needs: [CALL], play: recording },
  { name: 'call from a phone', needs: [AGENT, BRIDGE], play: callFromPhone },
  { name: 'browser session over the published UDP ports', needs: [AGENT], play: browserSession },
  { name: CAMPAIGN, needs: [AGENT, BRIDGE], play: campaign },
];

async function callToPhone(stage: Stage): Promise<string> {
  const number = stage.phones.number(HANGS_UP);
  const { call_id: id, live_captions_url: url } = await stage.dispatch(number);
  stage.call = { id, captions: listen(url) };
  // The step `captions` reports the failure.
  stage.call.captions.catch(() => undefined);
  return phoneCalled(stage, id, number);
}

/** Waits for the end of a call whose phone hangs up, and compares the API's data with SIPp's. */
async function phoneCalled(stage: Stage, id: string, number: string): Promise<string> {
  const over = await stage.untilOver(id);
  const [call] = stage.phones.calls(number);
  const seen = `${over.call_status} (${call?.ladder ?? 'no INVITE'})`;
  expectEqual('the outcome', seen, 'User disconnected (INVITE 100 180 200 ACK BYE 200)');
  return seen;
}

/** Makes a call to a phone that hangs up, after a service was killed or replaced. */
export async function anotherCall(stage: Stage): Promise<string> {
  const number = stage.phones.number(HANGS_UP);
  const { call_id: id } = await stage.dispatch(number);
  return phoneCalled(stage, id, number);
}

function listen(url: string): Promise<{ code: number; types: string[] }> {
  const types: string[] = [];
  const socket = new WebSocket(url);
  socket.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString('utf8')) as { type: string };
    if (types.at(-1) !== type) types.push(type);
  });
  return new Promise((resolve, reject) => {
    socket.once('close', (code) => resolve({ code, types }));
    socket.once('error', reject);
  });
}

async function captions({ call }: Stage): Promise<string> {
  const { code, types } = await (call?.captions ?? Promise.reject(new Error('there was no call')));
  expectEqual('the code of the close', code, 1000);
  const missing = ['connected', 'history', 'call_started', 'transcript', 'call_ended'].filter(
    (type) => !types.includes(type),
  );
  expectEqual('the kinds of frames that are missing', missing, []);
  return `closed with 1000 after ${types.join(', ')}`;
}

async function recording({ call, api }: Stage): Promise<string> {
  const bytes = await until('the recording', SOON_MS, async () => {
    const { status, body } = await api.ask('GET', `/api/stream/${call?.id}`);
    return status === 200 && typeof body === 'string' && body.startsWith('RIFF') ? body.length : undefined;
  });
  return `WAV, ${Math.round(bytes / 1024)} KiB as text`;
}

async function callFromPhone(stage: Stage): Promise<string> {
  const { api, agentId, phones } = stage;
  const ours = phones.number(999);
  const phone = { call_type: { Inbound: ours } };
  await api.send('PATCH', `/api/agent/${agentId}/deployment`, { deployment: { phone } });
  // LiveKit gets its dispatch rule shortly after the API's response and rejects calls before that.
  const over = await until('a call answered by the agent', SOON_MS, async () => {
    const from = phones.number(HANGS_UP);
    await phones.call(ours, from);
    return until('the end of that call', SOON_MS, () =>
      api.call((one) => one.from_number === from && one.End_time !== null),
    );
  });
  expectEqual('the outcome', over.call_status, 'User disconnected');
  return `${over.call_type}, ${over.call_status}, ${Math.round(over.duration_ms / 1000)} s`;
}

/**
 * The browser is a container on the engine's default network. It can't reach LiveKit's own network, so all media use the published ports.
 */
async function browserSession(stage: Stage): Promise<string> {
  const { api, agentId, docker, surroundings } = stage;
  const body = { agent_id: agentId, medium: 'webrtc' };
  const { token } = await api.send<{ token: string }>('POST', '/api/trigger-call/', body);
  const proxy = await startProxy(surroundings.gateway);
  try {
    const { port } = proxy.address() as AddressInfo;
    const program = join(repositoryRoot(), 'dist', 'verify', 'compose', 'play', 'browser-session.js');
    const output = await docker.output([
      ...['run', '--rm', '--network', 'bridge', '--volume', `${program}:/agent/browser-session.js:ro`],
      `voice-agent-platform-agent:${FIRST_VERSION}`,
      ...['node', '/agent/browser-session.js', `ws://${surroundings.gateway}:${port}`, token],
    ]);
    return output.trim().split('\n').at(-1) ?? '';
  } finally {
    proxy.close();
  }
}

/** Takes the place of an operator's proxy in front of LiveKit's signalling, which is published only on 127.0.0.1. */
async function startProxy(host: string): Promise<Server> {
  const server = createServer((socket) => {
    const upstream = connect(LIVEKIT_PORT, '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => (socket.destroy(), upstream.destroy()));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return server;
}

const CONTACTS = 8;

/** Starts a campaign and returns its id. */
export async function startCampaign({ api, agentId }: Stage, numbers: readonly string[]): Promise<string> {
  const rows = numbers.map((number, index) => `Contact ${index + 1},${number}`);
  const form = campaignForm(
    { csv: ['name,phone_number', ...rows, ''].join('\n'), nowMs: Date.now() },
    { campaign_name: 'Check-ups', agent_id: agentId, concurrency: 2, max_retries: 1 },
  );
  return (await api.send<{ id: string }>('POST', '/api/campaigns/create', form)).id;
}

interface Contact {
  attempts: { call_status: string }[];
}

export async function untilCompleted({ api }: Stage, id: string): Promise<void> {
  await until('the end of the campaign', 3 * CALL_OVER_WITHIN_MS, async () => {
    const { campaign_status: status } = await api.get<{ campaign_status: string }>(`/api/campaigns/${id}`);
    return status === 'completed' || undefined;
  });
}

async function campaign(stage: Stage): Promise<string> {
  const { api, phones } = stage;
  const numbers = Array.from({ length: CONTACTS }, () => phones.number(HANGS_UP));
  const id = await startCampaign(stage, numbers);
  await until(
    'the first call',
    SOON_MS,
    () => numbers.some((one) => phones.calls(one).length > 0) || undefined,
  );
  const healthy = await killed(stage, 'worker');
  await untilCompleted(stage, id);
  const invites = numbers.map((number) => phones.calls(number).length);
  expectEqual(
    'the INVITEs of each number',
    invites,
    numbers.map(() => 1),
  );
  const { data } = await api.get<{ data: Contact[] }>(`/api/campaigns/${id}/contacts?page_size=200`);
  const outcomes = data.map(({ attempts }) => attempts.at(-1)?.call_status);
  expectEqual(
    'the outcomes',
    outcomes,
    numbers.map(() => 'User disconnected'),
  );
  return `one INVITE each, ${CONTACTS} right outcomes; the worker was ${healthy}`;
}
