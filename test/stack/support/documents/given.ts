/** Prepares a platform with the data that the documentation expects. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { folderStorage } from '../../../../runtime/storage/folder-storage';
import { eventually } from '../eventually';
import { freshNumbers } from '../numbers';
import { Platform } from '../platform';
import { blockOf } from './pages';

export async function openPlatform(): Promise<Platform> {
  const rates = JSON.parse(blockOf('docs/analysis.md', 'json'));
  const platform = await Platform.open({ environment: { USAGE_RATES: JSON.stringify(rates) } });
  platform.receiver.refuses = ({ body }) => body.event === 'campaign.status_changed';
  return platform;
}

/**
 * Creates an organization with agents, a campaign with a recorded call that is talking, and a delivery. Returns the variables that the
 * documentation uses.
 */
export async function given(platform: Platform, name = 'Acme'): Promise<NodeJS.ProcessEnv> {
  const { apiUrl, environmentFile } = platform.stack;
  const platformEnv = parseEnv(readFileSync(environmentFile, 'utf8'));
  const organization = await platform.newOrganization();
  await organization.post('/api/create-agent', { agent_display_name: 'Check-up reminder' });
  const refused = await platform.campaign({ numbers: freshNumbers([0]), concurrency: 1 }, organization);
  const paused = refused.command('pause');
  const campaign = await platform.campaign({ numbers: freshNumbers([73, 0]), concurrency: 1 }, organization);
  await campaign.untilPlaced(1);
  // A reset needs at least one completed workflow task.
  await campaign.untilRunning();
  await paused;
  const delivery = await eventually(20_000, async () => {
    const [row] = await platform.db('webhook_deliveries').where({ campaign_id: refused.id });
    expect(row).toBeDefined();
    return row;
  });
  // Deletes the secrets, because an organization can have only two and a page of the documentation creates them.
  await platform.db('signing_secrets').where({ organization_id: delivery.organization_id }).delete();
  await platform.db('organizations').where({ name: 'Acme' }).update({ name: 'Another' });
  await platform.db('organizations').where({ id: delivery.organization_id }).update({ name });
  const call = campaign.carrier().placed[0]?.reference ?? '';
  await storeRecording(platform, platformEnv.DATA_DIR ?? '', call);
  return {
    ...platformEnv,
    ...{ CAMPAIGN: campaign.id, CALL: call, WORKFLOW: call, DELIVERY: delivery.id },
    ...{ TIMESTAMP: '1763800000', SECRET: 'whsec_a2V5' },
    ...{ ORGANIZATION: delivery.organization_id, AGENT: organization.agentId },
    ...Object.fromEntries(['KEY', 'API_KEY', 'VOICE_API_KEY'].map((key) => [key, organization.key])),
    ...Object.fromEntries(['URL', 'API_URL', 'VOICE_API_URL'].map((url) => [url, apiUrl])),
  };
}

async function storeRecording(platform: Platform, dataFolder: string, call: string): Promise<void> {
  const key = `recordings/${call}.wav`;
  await folderStorage(dataFolder).put(key, Buffer.from('sound'));
  const row = { call_id: call, storage_key: key, content_type: 'audio/wav', bytes: 5, stored_at: new Date() };
  await platform.db('recordings').insert(row);
}

/** Writes the files that the documentation expects. */
export function writeGivenFiles(folder: string): void {
  const conversation = blockOf('docs/testing-agents.md', 'json');
  const desk = {
    persona: {
      identity: { greeting_message: { agent_message: 'Hello {{name}}.' } },
      actions: {
        find_refund: {
          type: 'http_request',
          url: 'https://api.example.com/refunds/{{id}}',
          parameters: { id: 'its number' },
        },
      },
    },
  };
  mkdirSync(join(folder, 'my-agents/agents'), { recursive: true });
  for (const name of ['my-agents/refund.conversation.json', 'refund.json'])
    writeFileSync(join(folder, name), conversation);
  writeFileSync(join(folder, 'my-agents/agents/desk.json'), JSON.stringify(desk));
  cpSync(join(folder, 'my-agents/agents'), join(folder, 'agents'), { recursive: true });
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ agent_display_name: 'Desk', config: desk }));
  writeFileSync(join(folder, 'customers.csv'), 'Telephone\n+919876543299\nno number\n');
  writeFileSync(join(folder, 'body.json'), '{}');
}
