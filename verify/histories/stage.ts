/** Starts a platform for the recording, with the tools that the scenes need. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { demoEnvironment, demoOverrides } from '../../dev/demo/environment';
import { createOrganization } from '../../dev/demo/organization';
import { type ModelStandIn, type Reply, startModelStandIn } from '../../dev/model-stand-in/server';
import type { OnProgress } from '../../dev/progress';
import { removeFolder } from '../../dev/remove-folder';
import type { ClosingOrder } from '../../dev/stack/closing';
import { removableData } from '../../dev/stack/data-folder';
import type { Environment } from '../../dev/stack/platform-environment';
import { repositoryRoot } from '../../dev/stack/repository';
import { ANY_PORTS, type Stack, startStack } from '../../dev/stack/stack';
import { Customer, startReceiver } from './customer';

export interface Stage {
  /** Creates an organization. Each scene has its own, so that no scene waits for another's lines. */
  customer: (lines?: number) => Promise<Customer>;
  /** Rings a number that an agent answers. */
  ring: (to: string, from: string) => Promise<void>;
  /** Sets the language model's replies and repeats the last one. Without a model, the platform requests no replies. */
  scriptModel: (replies: readonly Reply[]) => void;
  temporal: Client;
}

interface StageOptions {
  environment: Environment;
  onProgress: OnProgress;
  signal: AbortSignal;
  closing: ClosingOrder;
  hasModel: boolean;
}

/** Small enough that the long campaign continues as new. Short campaigns fit into one run. */
const EVENTS_PER_RUN = 90;
const MODEL = 'reader';

export async function openStage(options: StageOptions): Promise<Stage> {
  const { environment, onProgress, signal, closing } = options;
  const repository = repositoryRoot();
  const dataDir = join(tmpdir(), `voice-agent-platform-histories-${randomBytes(6).toString('hex')}`);
  closing.add('the data', async () => {
    const data = await removableData({ repository, configured: dataDir });
    await Promise.all(data.map(removeFolder));
  });
  const receiver = await startReceiver();
  closing.add('the receiver', receiver.close);
  const model = await startModelStandIn();
  closing.add('the language model', model.close);
  const stack = await startStack({
    repository,
    environment: demoEnvironment(environment),
    onProgress,
    dataDir,
    ports: ANY_PORTS,
    temporalCliPath: environment.TEMPORAL_CLI_PATH,
    temporalInMemory: true,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(EVENTS_PER_RUN) },
    overrides: overrides(receiver.host, options.hasModel ? model : null),
    signal,
  });
  closing.add('the platform', stack.stop);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  closing.add('the connection to Temporal', () => connection.close());
  return {
    ring: (to, from) => ring(stack, to, from),
    scriptModel: (replies) => model.script(MODEL, replies),
    customer: (lines = 10) => customerOf(stack, lines, `http://${receiver.host}`),
    temporal: new Client({ connection }),
  };
}

async function customerOf(stack: Stack, lines: number, receiverUrl: string): Promise<Customer> {
  const { key } = await createOrganization({
    databaseUrl: stack.databaseUrl,
    secretsKey: stack.secrets.secretsKey,
    name: 'A client',
    lines,
  });
  return Customer.begin({ apiUrl: stack.apiUrl, key, receiverUrl });
}

async function ring({ carrierUrl, secrets }: Stack, to: string, from: string): Promise<void> {
  const response = await fetch(`${carrierUrl}/inbound-calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secrets.carrierSecret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from }),
  });
  if (!response.ok) throw new Error(`the carrier rejected the inbound call: ${response.status}`);
}

function overrides(receiverHost: string, model: ModelStandIn | null) {
  const { all } = demoOverrides(receiverHost);
  const analysis = model === null ? {} : { ANALYSIS_MODEL_URL: model.url, ANALYSIS_MODEL: MODEL };
  return {
    all: { ...all, ...analysis, DISPATCH_WAIT_LIMIT_S: '5', RING_TIMEOUT_S: '5' },
    simulator: { SIMULATOR_RING_MS: '300', SIMULATOR_TALK_MS: '1000', SIMULATOR_RING_CAP_MS: '600' },
  };
}
