/** Runs the demo: starts the platform, creates the organization, dials the file and prints the results. */
import { printProgress } from '../progress';
import { startReceiver, type Receiver } from '../receiver/receiver';
import { readSimulatorLog } from '../simulator/log';
import { ClosingOrder } from '../stack/closing';
import { consoleLink, userStack } from '../stack/user-stack';
import type { Environment } from '../stack/platform-environment';
import { freePort, releasePort } from '../stack/ports';
import { startStack, type Stack } from '../stack/stack';
import { ApiClient } from './api-client';
import { CAMPAIGN_NAME, createCampaign, LINES, type DemoCampaign } from './campaign';
import {
  contactCsv,
  CONTACTS,
  demoContacts,
  freshBlock,
  numberToTry,
  type NumberBlock,
} from './contact-file';
import { demoEnvironment, demoOverrides } from './environment';
import { untilAborted } from './interruption';
import { followLiveCalls, watchCampaign } from './watch';
import { nextStepLines, reportLines } from './report';
import { createOrganization, type DemoOrganization } from './organization';
import { gatherResults, receiverLogIn, waitForWebhooks, type Evidence, type Results } from './results';
import { type Style, progressView } from './progress';
import { summaryOf } from './tally';

interface DemoOptions {
  environment: Environment;
  /** Exit after the report instead of keeping the platform running. */
  exit: boolean;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  style: Style;
  /** Aborting this ends the demo with the reason. An unexpected end of a platform process aborts it too. */
  stopping: AbortController;
  /** Called after the report, if the platform keeps running. */
  onStayUp: () => void;
}

const ORGANIZATION = 'Tulsi Dental Care';
const USUAL_RECEIVER_PORT = 7090;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 110;

/** Resolves to true if every check passed. Stops everything it started, also on failure. */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const closing = new ClosingOrder();
  try {
    return await run(options, closing);
  } finally {
    await closing.close();
  }
}

async function run(options: DemoOptions, closing: ClosingOrder): Promise<boolean> {
  const { out, style, stopping, exit } = options;
  const { signal } = stopping;
  const say = (...lines: string[]) => out.write(`${lines.join('\n')}\n`);
  const startedAtMs = performance.now();
  say(`${style.bold(`${CONTACTS} contacts, ${LINES} lines, a simulated carrier`)}: no phone rings.`, '');

  const up = await startPlatform(options, closing);
  const { stack, receiver, organization } = up;
  const upAfterMs = performance.now() - startedAtMs;
  say(`Postgres, Temporal, carrier, worker and API are up after ${(upAfterMs / 1000).toFixed(1)} s.`);

  const api = new ApiClient({ baseUrl: stack.apiUrl, key: organization.key, signal });
  const block = freshBlock(numbersIn(stack.simulatorLog));
  const contacts = demoContacts(block);
  const calls = followLiveCalls(stack.simulatorLog, new Set(contacts.map(({ phone }) => phone)));
  closing.add('the simulator’s log', () => Promise.resolve(calls.close()));
  const csv = contactCsv(contacts);
  const campaign = await createCampaign(api, { csv, webhookUrl: receiver.url, nowMs: Date.now() });
  say(`Dialling the campaign "${CAMPAIGN_NAME}" of ${organization.name}:`, '');
  const { campaignId } = campaign;
  const view = progressView(out, style);
  const tookMs = await watchCampaign({ api, calls, receiver, campaignId, view, signal });
  say('', `Completed after ${Math.round(tookMs / 1000)} s.`, '');

  const mails = () => stack.mail?.messages ?? [];
  const evidence: Evidence = { ...up, simulatorLog: stack.simulatorLog, contacts, campaignId, mails };
  await waitForWebhooks(evidence, signal);
  const results = await gatherResults(api, evidence);
  say(...reportLines(results, style, Math.min(out.columns || MAX_COLUMNS, MAX_COLUMNS)));
  const link = await consoleLink(stack, { organizationId: organization.id, by: 'npm run demo' });
  say(
    ...nextStepLines({ ...nextSteps(options, up, campaign, results, block), consoleLink: link }, style),
    '',
  );
  if (exit) {
    say('--exit: stopping everything. "npm start" brings it back.');
    say(JSON.stringify({ ...summaryOf(results.tally, LINES), mails: results.mails.length }));
    return results.faults.length === 0;
  }
  say('Everything keeps running. Press Ctrl-C to stop it.');
  options.onStayUp();
  return untilAborted(signal);
}

interface Up {
  stack: Stack;
  receiver: Receiver;
  receiverLog: string;
  organization: DemoOrganization;
}

export async function startPlatform(options: DemoOptions, closing: ClosingOrder): Promise<Up> {
  const { environment, err, stopping } = options;
  // The port is chosen before the platform starts, because the worker's settings must allow this private address.
  const port = await freePort(USUAL_RECEIVER_PORT);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  const stack = await startStack({
    // You can kill the worker or the API during the campaign: no contact is lost or dialled twice.
    ...userStack(demoEnvironment(environment), {
      say: (line) => void err.write(`${line}\n`),
      isStopping: () => stopping.signal.aborted,
      giveUp: (ended, reason) =>
        stopping.abort(new Error(`the ${ended.name} ${reason} (its log: ${ended.logFile})`)),
    }),
    overrides: demoOverrides(`127.0.0.1:${port}`),
    onProgress: printProgress(err),
    signal: stopping.signal,
  });
  closing.add('the platform', stack.stop);
  const organization = await createOrganization({
    databaseUrl: stack.databaseUrl,
    secretsKey: environment.SECRETS_KEY || stack.secrets.secretsKey,
    name: ORGANIZATION,
    lines: LINES,
  });
  const receiverLog = receiverLogIn(stack.dataFolder, Date.now());
  const receiver = await startReceiver({ port, logPath: receiverLog, secrets: () => [organization.secret] });
  closing.add('the webhook receiver', receiver.close);
  return { stack, receiver, receiverLog, organization };
}

function numbersIn(simulatorLog: string): Set<string> {
  return new Set(readSimulatorLog(simulatorLog).flatMap((entry) => ('to' in entry ? (entry.to ?? []) : [])));
}

function nextSteps(
  { environment }: DemoOptions,
  { stack, organization }: Up,
  { agentId, campaignId }: DemoCampaign,
  { callId }: Results,
  block: NumberBlock,
) {
  const { apiUrl, temporalAddress, temporalUiUrl, dataFolder } = stack;
  return {
    apiUrl,
    temporalAddress,
    temporalUiUrl,
    dataFolder,
    key: organization.key,
    agentId,
    campaignId,
    callId,
    numberToTry: numberToTry(block),
    temporalNamespace: environment.TEMPORAL_NAMESPACE || 'default',
    cleanCommand: environment.DATA_DIR ? `DATA_DIR=${environment.DATA_DIR} npm run clean` : 'npm run clean',
  };
}
