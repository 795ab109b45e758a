/** Campaigns with a local window or rule profiles, and the steps of the engine that dial them. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { campaignFeedingActivities } from '../../../activities/campaigns/steps';
import type { ActivityDependencies } from '../../../activities/dependencies';
import type { DialStep } from '../../../activities/dialling/dial-step';
import { diallingActivities } from '../../../activities/dialling/dialling';
import { nextStep, type CampaignStep } from '../../../domain/campaign-step';
import { shippedProfile, type RuleProfile } from '../../../domain/rules/profile';
import { MINUTE_MS, type EngineDatabase, type Owner } from './engine-database';
import { RoomyCarrier, roomyDependencies } from './roomy-carrier';

/** A Tuesday. In New York it is 08:00, in Los Angeles 05:00, in India 17:30. */
export const NOON = Date.parse('2026-11-03T13:00:00.000Z');
export const HOUR_MS = 60 * MINUTE_MS;
export const NEW_YORK = '+12125550100';
export const LOS_ANGELES = '+12135550100';
export const ALWAYS = shippedProfile('none');

export interface Terms {
  numbers?: string[];
  zone?: string | null;
  profile?: Partial<RuleProfile>;
  contacts?: Record<string, unknown>;
  campaign?: Record<string, unknown>;
}

export class RuledCampaigns {
  private constructor(
    private readonly engine: EngineDatabase,
    readonly owner: Owner,
    readonly carrier: RoomyCarrier,
    readonly deps: ActivityDependencies,
  ) {}

  static async open(engine: EngineDatabase): Promise<RuledCampaigns> {
    const owner = await engine.owner();
    engine.now = NOON;
    const carrier = new RoomyCarrier(() => engine.now);
    return new RuledCampaigns(engine, owner, carrier, roomyDependencies(engine, carrier, []));
  }

  /** Creates a campaign from 08:00 to 20:00 in the given zone, from 3 to 5 November. */
  async campaign({
    numbers = [NEW_YORK],
    zone = 'contact',
    profile,
    contacts,
    campaign,
  }: Terms = {}): Promise<string> {
    const { engine, owner } = this;
    const id = await engine.campaign(owner, { contacts: numbers.length, concurrency: 5 });
    await engine.setNumbers(id, numbers);
    if (contacts !== undefined) await engine.db('contacts').where({ campaign_id: id }).update(contacts);
    if (profile !== undefined) {
      const times = { created_at: new Date(engine.now), updated_at: new Date(engine.now) };
      await engine.db('rule_profiles').insert({
        organization_id: owner.organizationId,
        name: 'ours',
        profile: JSON.stringify({ ...ALWAYS, ...profile }),
        ...times,
      });
    }
    await engine.set(id, {
      window_timezone: zone,
      rule_profile: profile === undefined ? null : 'ours',
      start_minute: 480,
      end_minute: 1200,
      from_date: '2026-11-03',
      to_date: '2026-11-05',
      days_of_week: 'monday,tuesday,wednesday,thursday,friday',
      ...campaign,
    });
    return id;
  }

  async stepOf(campaignId: string): Promise<CampaignStep> {
    const { now } = this.engine;
    const survey = await campaignFeedingActivities(this.deps).surveyCampaign({ campaignId, now });
    if (survey === null) throw new Error('the campaign is gone');
    return nextStep(survey, now);
  }

  /** Claims a page if the campaign dials, and returns the claimed calls. */
  async claim(campaignId: string): Promise<string[]> {
    const { now } = this.engine;
    const feeding = campaignFeedingActivities(this.deps);
    const step = await this.stepOf(campaignId);
    if (step.kind !== 'feed') return [];
    const page = await feeding.claimPage({ campaignId, now, dialUntil: step.closesAt, limit: 100 });
    const callIds = page.claimed.map(({ callId }) => callId);
    await feeding.registerWaiting({ organizationId: this.owner.organizationId, callIds, now });
    return callIds;
  }

  dial(callId: string): Promise<DialStep> {
    const { now } = this.engine;
    return new MockActivityEnvironment().run(() => diallingActivities(this.deps).dial({ callId, now }));
  }

  async dialAll(campaignId: string): Promise<DialStep[]> {
    const steps: DialStep[] = [];
    for (const callId of await this.claim(campaignId)) steps.push(await this.dial(callId));
    return steps;
  }

  async contacts(campaignId: string): Promise<Record<string, any>[]> {
    return this.engine.db('contacts').where({ campaign_id: campaignId }).orderBy('row_number');
  }

  /** Ends the first contact's open call as not answered, so that it's redialled after the retry delay. */
  async noAnswer(campaignId: string): Promise<void> {
    const [contact] = await this.contacts(campaignId);
    await this.engine.end(contact?.call_id as string, 'no_answer');
    await this.engine.conclude(campaignId);
  }
}
