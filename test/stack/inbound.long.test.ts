/** Tests people who call an agent's number through the simulated carrier. */
import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const GREETING = 'Welcome to Tulsi Dental Care.';
/** Long enough for the first callers to be still talking when another is rejected, even if the machine stalls for two seconds. */
const TALK_MS = 4_000;
/** Includes half a minute during which a carrier repeats an event that was not accepted. */
const CALL_WITHIN_MS = 50_000;

describeWith('temporal', "an agent's number", () => {
  let platform: Platform;
  let numbers = 0;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: TALK_MS });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  const answered = async (organization: Organization): Promise<string> => {
    const number = `+9180400${String(++numbers).padStart(5, '0')}`;
    const { status } = await organization.post('/api/create-agent', {
      agent_display_name: 'Reception',
      config: {
        persona: { identity: { greeting_message: { agent_message: GREETING } } },
        deployment: { phone: { call_type: { Inbound: number } } },
      },
    });
    expect(status).toBe(200);
    await eventuallyTrue(10_000, 'the carrier knows the number', () => routeOf(number)?.route != null);
    return number;
  };
  const routeOf = (number: string) =>
    platform
      .carrier()
      .entries.filter((entry) => entry.kind === 'route')
      .findLast((entry) => entry.number === number);
  const ring = async (to: string, from: string): Promise<string> => {
    const { status, carrierId } = await platform.ring(to, from);
    expect(status).toBe(201);
    return carrierId;
  };
  const endOf = (carrierId: string) =>
    platform
      .carrier()
      .entries.filter((entry) => entry.kind === 'state')
      .find((entry) => entry.carrier_id === carrierId && entry.state === 'ended');
  const callsOf = async (organization: Organization, callers: string[]): Promise<any[]> => {
    const { body } = await organization.get('/api/call-history');
    return callers.map((from) =>
      body.data.find(({ from_number }: { from_number: string }) => from_number === from),
    );
  };
  const callOf = async (organization: Organization, caller: string): Promise<any> =>
    (await callsOf(organization, [caller]))[0];

  test('answers callers while lines are free, and rejects the others as busy', async () => {
    // The organization reserves one of its three lines, so callers can't use it.
    const organization = await platform.newOrganization(3);
    const number = await answered(organization);
    const callers = freshNumbers([1, 2, 3, 4]);
    const carrierIds = await Promise.all(callers.map((from) => ring(number, from)));
    await eventually(CALL_WITHIN_MS, async () => {
      const calls = await callsOf(organization, callers);
      expect(calls.map(({ call_status }) => call_status).sort()).toEqual([
        'busy',
        'busy',
        'completed',
        'completed',
      ]);
    });
    const ends = carrierIds.map((carrierId) => endOf(carrierId)?.end_reason);
    expect(ends.sort()).toEqual(['agent', 'agent', 'rejected', 'rejected']);
    expect((await organization.get('/api/limits')).body).toMatchObject({ live_calls: 0, waiting_calls: 0 });
  }, 80_000);

  test('stores a call in the history, with a transcript that begins with the first word', async () => {
    const organization = await platform.newOrganization();
    const number = await answered(organization);
    const [caller = ''] = freshNumbers([5]);
    await ring(number, caller);
    await eventually(CALL_WITHIN_MS, async () =>
      expect(await callOf(organization, caller)).toMatchObject({ post_processing_status: 'completed' }),
    );
    const call = await callOf(organization, caller);
    expect(call).toMatchObject({ call_type: 'Inbound', direction: 'Incoming', to_number: number });
    expect(call.chat_history[0]).toMatchObject({ role: 'agent', content: GREETING });
    const { body } = await organization.get(`/api/call_details/${call.call_id}`);
    expect(body.transcription).toContain(GREETING);
    // The workflow completes only after it has stored the call's results.
    await eventually(10_000, async () => {
      const { status } = await platform.temporal.workflow.getHandle(call.call_id).describe();
      expect(status.name).toBe('COMPLETED');
    });
  }, 80_000);

  test('answers callers while no worker runs, and processes their calls once one does', async () => {
    const organization = await platform.newOrganization();
    const number = await answered(organization);
    const [caller = ''] = freshNumbers([6]);
    await platform.stack.worker.kill();
    const carrierId = await ring(number, caller);
    await eventuallyTrue(
      CALL_WITHIN_MS,
      'they talked to the end',
      () => endOf(carrierId)?.end_reason === 'agent',
    );
    await platform.stack.worker.start();
    await eventually(CALL_WITHIN_MS, async () =>
      expect(await callOf(organization, caller)).toMatchObject({ post_processing_status: 'completed' }),
    );
  }, 150_000);
});
