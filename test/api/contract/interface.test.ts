/**
 * Checks docs/interface.md against the running service. Every statement has a check or a reason why it can't
 * have one.
 */
import { Bench } from './bench';
import { Coverage } from './coverage';
import { agentSectionChecks } from './interface/agent-sections';
import { agentChecks } from './interface/agents';
import { callChecks } from './interface/calls';
import { campaignChecks } from './interface/campaigns';
import { contactFileChecks } from './interface/contact-file';
import { createCampaignChecks } from './interface/create-campaign';
import { dispatchChecks } from './interface/dispatch';
import { eventChecks } from './interface/events';
import { LEFT_OUT } from './interface/left-out';
import { serviceChecks } from './interface/service';
import { readPage } from './items';

const items = readPage('interface.md');
const coverage = new Coverage(items);
serviceChecks(coverage, items);
agentChecks(coverage);
agentSectionChecks(coverage, items);
dispatchChecks(coverage);
callChecks(coverage);
createCampaignChecks(coverage);
campaignChecks(coverage);
contactFileChecks(coverage);
eventChecks(coverage, items);
coverage.leavesOut(LEFT_OUT);

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

describe('docs/interface.md', () => {
  test('has a check for every statement', () => {
    expect(coverage.missing).toEqual([]);
  });

  test('contains every statement that a check or an exclusion names', () => {
    expect(coverage.unknown).toEqual([]);
  });

  test('contains more than 300 statements, none both checked and excluded', () => {
    expect(items.length).toBeGreaterThan(300);
    const held = new Set(coverage.checks.map(({ item }) => item.id));
    expect(Object.keys(LEFT_OUT).filter((id) => held.has(id))).toEqual([]);
  });

  test.each(coverage.checks.map(({ item, check }) => [item.id, item, check] as const))(
    'confirms: %s',
    async (_id, item, check) => {
      await check(bench, item);
    },
  );
});
