import pino from 'pino';
import { updateCampaign, RESUME, switchCampaign } from '../../api/campaigns/change';
import type { CampaignEdit } from '../../api/campaigns/terms';
import type { TemporalPort } from '../../api/dependencies/temporal-client';
import { rows } from '../../db/kernel/query';
import { resumeSignal, updateSignal } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine, type StartedCampaign } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const actor = { kind: 'api_key', id: 'test', requestId: null } as const;

jest.setTimeout(60_000);

describeWith('time-skipping', 'an updated campaign', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  });

  afterEach(async () => {
    await engine.stop();
  });

  /** The API's dependencies, with signals for this campaign. */
  const api = async (campaign: StartedCampaign) => {
    const now = await engine.now();
    const temporal: Pick<TemporalPort, 'signalCampaign' | 'startDelivery' | 'signalWorkflows'> = {
      signalCampaign: (_id, signal) => campaign.signal(signal === 'update' ? updateSignal : resumeSignal),
      startDelivery: () => Promise.resolve(),
      signalWorkflows: (announcement) => engine.signalWorkflows(announcement),
    };
    return {
      db: engine.db,
      temporal,
      clock: { now: () => now },
      log: pino({ enabled: false }),
      settings: {
        legalWindow: { startMinute: 0, endMinute: 1440 },
        legalWindowLocal: { startMinute: 0, endMinute: 1440 },
        mailConfirmedDomains: [],
      },
    };
  };

  const update = async (campaign: StartedCampaign, edit: CampaignEdit) => {
    const target = { campaignId: campaign.id, organizationId: campaign.organizationId };
    return updateCampaign(await api(campaign), target, edit, actor);
  };
  const resume = async (campaign: StartedCampaign) => {
    const target = { campaignId: campaign.id, organizationId: campaign.organizationId };
    return switchCampaign(await api(campaign), target, RESUME, actor);
  };

  test('dials nothing until the campaign is resumed, and then follows its new dates', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: ['+919800000001'], fromDay: 2, toDay: 20 });
      await engine.sleep(MINUTE_MS);
      const from = new Date((await engine.now()) + 5 * DAY_MS).toISOString().slice(0, 10);
      expect((await update(campaign, { from_date: from })).status).toBe('paused');
      await engine.sleep(10 * DAY_MS);
      expect(engine.carrier.dials).toEqual([]);
      await resume(campaign);
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
    expect(engine.carrier.dials).toHaveLength(1);
  });

  test('waits for the new window to open after a resume', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: ['+919800000001'], fromDay: 2 });
      await engine.sleep(MINUTE_MS);
      const from = new Date((await engine.now()) + 6 * DAY_MS).toISOString().slice(0, 10);
      await update(campaign, { from_date: from });
      await resume(campaign);
      await campaign.finish();
      expect(engine.carrier.dials[0]?.at).toBeGreaterThanOrEqual(Date.parse(from));
    });
  });

  test('completes without a resume if no contact is left to dial', async () => {
    engine.carrier.script('+919800000001', [{ endReason: 'busy', talkMs: 1_000 }]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: ['+919800000001'],
        maxAttempts: 3,
        retryDelayMins: 600,
      });
      await engine.sleep(30 * MINUTE_MS);
      await update(campaign, { max_retries: 1 });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
    expect(engine.carrier.dials).toHaveLength(1);
    expect(await rows(engine.db, 'select state, reason from contacts')).toEqual([
      { state: 'failed', reason: 'busy' },
    ]);
  });
});
