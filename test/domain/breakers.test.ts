import { describeBreaker, type MeasuredBreaker } from '../../domain/breakers';
import { describeStep } from '../../domain/campaign-step';
import { statusChangedEvents } from '../../domain/webhook-events';

const breaker = (kind: MeasuredBreaker['kind'], limit: number, measured: number): MeasuredBreaker => ({
  kind,
  limit,
  measured,
});

describe('the reason for an automatic pause', () => {
  test.each([
    [
      breaker('campaign_spend', 100, 102.5),
      'spend limit: the campaign has spent 102.5 credits today (UTC) and its limit is 100; resume tomorrow or raise the limit',
    ],
    [
      breaker('organization_spend', 1000, 1000),
      'spend limit: the organization has spent 1000 credits today (UTC) and its limit is 1000; resume tomorrow or raise the limit',
    ],
    [
      breaker('campaign_failures', 0.5, 0.667),
      "circuit breaker: 66.7 % of the campaign's latest dials failed at the carrier and the limit is 50 %; resume when the carrier works again",
    ],
    [
      breaker('organization_failures', 1, 1),
      "circuit breaker: 100 % of the organization's latest dials failed at the carrier and the limit is 100 %; resume when the carrier works again",
    ],
    [
      { kind: 'no_number' as const },
      'no caller ID: the agent has no outbound number that the organization may use; give it one or register its number for the organization, then resume',
    ],
    [
      { kind: 'setup' as const, fault: 'trunk_login' as const },
      "setup fault: the SIP trunk rejects the platform's user name and password; the operator must correct them; then resume",
    ],
  ])('describes the reason in words: %p', (given, sentence) => {
    expect(describeBreaker(given)).toBe(sentence);
  });

  test('shows operators the reason for the pause', () => {
    const why = describeBreaker(breaker('campaign_failures', 0.5, 0.75));
    expect(describeStep({ kind: 'hold', reason: 'paused', why })).toBe(`paused: ${why}`);
    expect(describeStep({ kind: 'hold', reason: 'paused', why: null })).toBe('paused: waiting for resume');
  });

  test('sends the reason to webhook receivers as `status_reason` for automatic pauses only', () => {
    const campaign = {
      id: 'campaign',
      campaignName: 'A campaign',
      reportedStatus: 'active' as const,
      total: 1,
      completed: 0,
      inProgress: 0,
      failed: 0,
      createdAt: new Date(0),
    };
    const [tripped] = statusChangedEvents(campaign, 'paused', 0, 'a breaker');
    const [asked] = statusChangedEvents(campaign, 'paused', 0);
    expect(tripped?.payload).toEqual({ ...asked?.payload, status_reason: 'a breaker' });
    expect(asked?.payload).not.toHaveProperty('status_reason');
  });
});
