/** The API process: what its endpoints do after parsing a request, and the endpoint for carrier events. */
import { dispatchCall, newDispatchId } from '../../../api/calls/dispatch/dispatch-call';
import { hangUp } from '../../../api/calls/hang-up';
import { readCarrierEvent } from '../../../api/carriers/http/event';
import { type EventAnswer, eventReceiver } from '../../../api/carriers/http/receive-event';
import type { ApiDependencies } from '../../../api/dependencies';
import { type DialWorkers, DialWakeUps } from '../../../api/dependencies/dial-wake-ups';
import { temporalPort } from '../../../api/dependencies/temporal-client';
import { TemporalUnavailable, ApiError } from '../../../api/http/errors/api-error';
import type { ApiClient } from '../../../api/http/auth/api-key';
import { idempotent } from '../../../api/http/idempotency';
import { append } from '../../../api/campaigns/append';
import { CANCEL, PAUSE, RESUME, switchCampaign, updateCampaign } from '../../../api/campaigns/change';
import { createdBefore, launchCampaign, type CampaignLaunch } from '../../../api/campaigns/create';
import type { AppendedContact } from '../../../db/campaigns/append';
import type { Db } from '../../../db/kernel/connection';
import { isDatabaseUnreachable } from '../../../db/kernel/database-unreachable';
import { CatchUp } from '../../../runtime/catch-up';
import { openSimulated, type SimulatedPostgres } from '../postgres/simulated-postgres';
import { simulatedOrganization } from '../temporal/client';
import type { TemporalServer } from '../temporal/server';
import { currentOwner } from '../time/scheduler';
import type { SimulatedProcess, World } from '../world';
import { ACTIVITY_SETTINGS, API_SETTINGS } from './settings';

interface ApiOptions {
  world: World;
  postgres: SimulatedPostgres;
  server: TemporalServer;
  dialWorkers: (db: Db) => DialWorkers;
  /** Called for an internal error, which an API client sees as a 500. */
  onFault: (where: string, error: unknown) => void;
}

export type ApiRequest =
  | { kind: 'pause' | 'resume' | 'cancel'; campaignId: string }
  | { kind: 'edit'; campaignId: string; fields: { concurrency?: number; max_retries?: number } }
  | { kind: 'append'; campaignId: string; contacts: AppendedContact[] }
  | { kind: 'dispatch'; agentId: string; number: string }
  | { kind: 'hangUp'; callId: string }
  | { kind: 'create'; launch: Omit<CampaignLaunch, 'client' | 'actor'> };

export interface ApiAnswer {
  status: number;
  body: unknown;
}

export interface StartedApi {
  receive(body: string): Promise<{ status: number; body: string }>;
  ask(organization: ApiClient, request: ApiRequest): Promise<ApiAnswer>;
}

const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
};
const SWITCHES = { pause: PAUSE, resume: RESUME, cancel: CANCEL };

export function startApi(options: ApiOptions, process: SimulatedProcess): StartedApi {
  return currentOwner.run(process, () => {
    const { world, postgres, server } = options;
    const client = simulatedOrganization(server, process);
    const catchUp = new CatchUp(client.workflow, silent);
    const db = openSimulated(postgres, process);
    const workers = options.dialWorkers(db);
    const dials = new DialWakeUps({ workers, signals: catchUp.signals, log: silent });
    const deps = {
      db,
      temporal: temporalPort(client, dials.signals),
      settings: API_SETTINGS,
      clock: { now: () => Math.round(world.nowMs) },
      log: silent,
      metrics: { callEnded: () => undefined, eventTimeReplaced: () => undefined },
      storage: { putStream: () => Promise.resolve(0), remove: () => Promise.resolve() },
    } as unknown as ApiDependencies;
    const receive = eventReceiver({
      ...deps,
      signals: dials.signals,
      dials,
      settings: { ...API_SETTINGS, ringTimeoutS: ACTIVITY_SETTINGS.ringTimeoutS },
      liveUpdates: { isWanted: () => false, take: () => false },
    });
    catchUp.request();
    return {
      receive: async (body) => {
        const { status, body: said } = await withStatus(() => received(receive, body), options.onFault);
        return { status, body: JSON.stringify(said ?? null) };
      },
      ask: (caller, request) => withStatus(() => asked(deps, caller, request), options.onFault),
    };
  });
}

async function received(receive: ReturnType<typeof eventReceiver>, body: string): Promise<EventAnswer> {
  const read = readCarrierEvent(JSON.parse(body));
  if ('faults' in read) throw new Error(`invalid carrier event: ${read.faults.join(', ')}`);
  return receive(read.event);
}

async function withStatus(work: () => Promise<unknown>, onFault: ApiOptions['onFault']): Promise<ApiAnswer> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (error instanceof TemporalUnavailable || isDatabaseUnreachable(error))
      return { status: 503, body: null };
    if (error instanceof ApiError) return { status: error.status, body: null };
    onFault('api', error);
    return { status: 500, body: null };
  }
}

async function asked(deps: ApiDependencies, caller: ApiClient, request: ApiRequest): Promise<unknown> {
  const { id: organizationId, actor } = caller;
  switch (request.kind) {
    case 'pause':
    case 'resume':
    case 'cancel':
      await switchCampaign(
        deps,
        { campaignId: request.campaignId, organizationId },
        SWITCHES[request.kind],
        actor,
      );
      return { id: request.campaignId };
    case 'edit': {
      const { concurrency, max_retries: maxAttempts } = request.fields;
      const edit = {
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(maxAttempts === undefined ? {} : { max_retries: maxAttempts }),
      };
      await updateCampaign(deps, { campaignId: request.campaignId, organizationId }, edit, actor);
      return { id: request.campaignId };
    }
    case 'append': {
      const { campaignId, contacts } = request;
      await append(deps, campaignId, { contacts }, caller);
      return { id: campaignId };
    }
    case 'dispatch':
      return { output: { call_id: await dispatched(deps, caller, request) } };
    case 'hangUp':
      await hangUp(deps, { callId: request.callId, organizationId, actor });
      return { call_id: request.callId };
    case 'create':
      return created(deps, caller, request.launch);
  }
}

/** Creates the campaign with an idempotency key, which is the campaign's id. */
async function created(
  deps: ApiDependencies,
  organization: ApiClient,
  launch: Extract<ApiRequest, { kind: 'create' }>['launch'],
): Promise<unknown> {
  const { id } = launch;
  const { body } = await idempotent(deps, {
    organization,
    key: id,
    operation: 'campaign.create',
    input: { id },
    newId: () => id,
    // The judge knows campaigns by the client's id. A key that was taken over looks new, so this finds a campaign that already exists.
    run: async () =>
      (await createdBefore(deps.db, organization.id, id)) ??
      launchCampaign(deps, { ...launch, organization, actor: organization.actor }),
    recover: () => createdBefore(deps.db, organization.id, id),
    present: (campaign) => ({ id: campaign.id }),
  });
  return body;
}

async function dispatched(
  deps: ApiDependencies,
  caller: ApiClient,
  { agentId, number }: Extract<ApiRequest, { kind: 'dispatch' }>,
): Promise<string> {
  const dispatch = {
    medium: 'telephony' as const,
    agentIdOrName: agentId,
    metadata: {},
    modifyAgent: null,
    name: 'Dispatched',
    toNumber: number,
    outboundNumber: null,
    voice: null,
    dndCheckSkipped: false,
    xAgentId: null,
  };
  const callId = newDispatchId(dispatch, deps.clock.now());
  await dispatchCall(deps, dispatch, caller, callId);
  return callId;
}
