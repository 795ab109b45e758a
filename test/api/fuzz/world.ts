/** Tracks existing ids, so that requests pass the first lookup. */
import type { FakeMedia } from '../support/conversation';
import { newEstate, type Estate } from '../support/estate';
import { newAgent } from '../support/rows';
import type { TestApi, TestOrganization } from '../support/test-api';
import type { WireAnswer } from './wire';

/**
 * Together with the agents created during the run, enough for all archive requests among ten thousand cases.
 */
const EXPENDABLE_AGENTS = 100;

export class World {
  private readonly agents: string[];
  private readonly expendable: string[] = [];
  private readonly campaigns: string[];
  private readonly calls: string[];

  private constructor(
    readonly owner: TestOrganization,
    readonly estate: Estate,
    /** The call that a request may listen to. */
    private readonly talking: string,
  ) {
    this.agents = [estate.agents.running, estate.agents.other];
    this.campaigns = Object.values(estate.campaigns);
    this.calls = Object.values(estate.calls);
  }

  static async open(api: TestApi, owner: TestOrganization, media: FakeMedia): Promise<World> {
    const estate = await newEstate(api, owner, { name: 'Zubeida', firstNumber: '9876543200' });
    const row = { agent_id: estate.agents.running, organization_id: owner.id };
    const world = new World(owner, estate, await media.newConversation(api, row));
    for (let n = 0; n < EXPENDABLE_AGENTS; n += 1) {
      world.expendable.push(await newAgent(api, { as: owner, name: `Expendable ${n}` }));
    }
    return world;
  }

  /** Picks an id for a parameter of an operation; `n` chooses among several. */
  idFor(name: string, operation: string, n: number): string {
    switch (name) {
      case 'agent_id':
        return operation === 'DELETE /api/agent/{agent_id}' ? this.nextToArchive() : chosen(this.agents, n);
      case 'campaign_id':
        return chosen(this.campaignsFor(operation), n);
      case 'call_id':
        if (operation.endsWith('/listen') && n % 3 > 0) return this.talking;
        return n % 2 === 0 ? this.estate.calls.ofCampaign : chosen(this.calls, n);
      case 'delivery_id':
        return chosen(Object.values(this.estate.deliveries), n);
      case 'subject_id':
        return chosen(this.campaigns, n);
      case 'actor_id':
      case 'key_id':
        return this.estate.keys.spare;
      case 'session_id':
        return this.estate.sessions.open;
      case 'name':
        return this.estate.profiles.own;
      default:
        throw new Error(`no test knows how to fill ${name} of ${operation}`);
    }
  }

  agentName(n: number): string {
    return chosen([this.estate.slugs.running, this.estate.agents.running, this.estate.agents.other], n);
  }

  /** Adds what a successful request created to the ids that later requests may name. */
  learn(operation: string, { text }: WireAnswer): void {
    if (operation === 'POST /api/create-agent') this.expendable.push(JSON.parse(text).agent_id);
    if (operation === 'POST /api/campaigns/create') this.campaigns.push(JSON.parse(text).id);
    if (operation === 'POST /api/trigger-call/') {
      const { output, room_name: roomName } = JSON.parse(text);
      this.calls.push(output?.call_id ?? roomName);
    }
  }

  /** Never returns the two agents that the rest of the run needs. */
  private nextToArchive(): string {
    return this.expendable.shift() ?? this.estate.agents.archived;
  }

  /** Cancels only an already cancelled campaign, because a cancellation can't be undone. */
  private campaignsFor(operation: string): readonly string[] {
    const { active, paused, cancelled } = this.estate.campaigns;
    if (operation.endsWith('/cancel')) return [cancelled];
    return operation.startsWith('GET') ? this.campaigns : [active, paused];
  }
}

const chosen = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
