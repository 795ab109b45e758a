import type { Estate } from './estate';
import { parametersIn, pathOf, payloadsOf, type Operation } from './operations';
import type { Asked } from './test-api';

/** Builds a request that succeeds on an unchanged estate. Callers should send requests that archive or cancel last. */
export function validRequest(operation: Operation, estate: Estate): [path: string, asked: Asked] {
  const ids: Record<string, string> = {
    agent_id: operation.method === 'DELETE' ? estate.agents.other : estate.agents.running,
    campaign_id: estate.campaigns[campaignFor(operation)],
    call_id: estate.calls.ofCampaign,
    delivery_id: estate.deliveries.failed,
    key_id: estate.keys.spare,
    session_id: estate.sessions.open,
    name: estate.profiles.own,
  };
  const names = parametersIn(operation, 'path').map(({ name }) => name);
  const values = Object.fromEntries(names.map((name) => [name, known(ids, name, operation)]));
  const takesAgent = operation.bodies.some(({ examples }) => examples.some((each) => 'agent_id' in each));
  const changes = takesAgent ? { agent_id: estate.agents.running } : {};
  const [{ headers = {}, ...payload } = {}] = payloadsOf(operation, changes);
  return [pathOf(operation, values), { ...payload, headers, method: operation.method, as: estate.owner }];
}

function campaignFor({ path }: Operation): keyof Estate['campaigns'] {
  if (path.endsWith('/resume')) return 'paused';
  return path.endsWith('/cancel') ? 'cancelled' : 'active';
}

function known(ids: Record<string, string>, name: string, operation: Operation): string {
  const id = ids[name];
  if (id === undefined) throw new Error(`no test knows how to fill ${name} of ${operation.name}`);
  return id;
}
