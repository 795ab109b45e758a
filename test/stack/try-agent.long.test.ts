import { RoomServiceClient } from 'livekit-server-sdk';
import type { Browser } from 'playwright-core';
import type { Media } from '../../dev/stack/stack';
import { isAgent, personIn } from '../../domain/room-participants';
import { describeWith } from '../servers/availability';
import { openBrowser, TryPage } from './support/browser';
import { ListenerPage } from './support/listener-page';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const AGENT_COMES_WITHIN_MS = 60_000;
const NOTICED_WITHIN_MS = 60_000;
/** Reconciliation deletes a leftover room no earlier than half a minute after its call has ended. */
const ROOM_GONE_WITHIN_MS = 120_000;
/** Enough time for a browser to join, even if the machine stalls for two seconds. */
const JOIN_LIMIT_MS = 10_000;
const CLOSE_WITHIN_MS = 60_000;

jest.setTimeout(180_000);

describeWith('livekit', 'an agent tried in the browser', () => {
  describeWith('chromium', 'in the console', () => {
    let platform: Platform;
    let media: Media;
    let browser: Browser;

    beforeAll(async () => {
      // The fake microphone beeps once a second, so these tests have no silent callers.
      const environment = { AGENT_JOIN_LIMIT_MS: String(JOIN_LIMIT_MS) };
      platform = await Platform.open({ livekit: true, silenceMs: 30_000, environment });
      if (platform.stack.media === null) throw new Error('there are no media servers');
      media = platform.stack.media;
      browser = await openBrowser();
    }, START_WITHIN_MS);
    afterAll(async () => {
      await browser.close();
      await platform.close();
    }, CLOSE_WITHIN_MS);

    const newest = async (organization: Organization): Promise<any> =>
      (await organization.get('/api/call-history')).body.data[0];

    const untilOver = (organization: Organization): Promise<any> =>
      eventually(NOTICED_WITHIN_MS, async () => {
        const call = await newest(organization);
        expect(call.End_time).toEqual(expect.any(String));
        return call;
      });

    async function opened(organization: Organization): Promise<TryPage> {
      const page = await TryPage.open(browser, platform.stack.apiUrl);
      await page.enterKey(organization.key);
      await page.choose('Asha');
      return page;
    }

    test('rejects a wrong key', async () => {
      const page = await TryPage.open(browser, platform.stack.apiUrl);
      await page.enterKey('no-key-of-anybody');
      expect(await page.problem()).toContain('The API key is wrong');
    });

    test('reports a denied microphone and a missing media server, and creates no call', async () => {
      const organization = await platform.newOrganization();
      const page = await opened(organization);
      await page.refuseMicrophone();
      await page.press('Start talking');
      expect(await page.problem()).toContain('Your browser is blocking the microphone.');
      const other = await opened(organization);
      await other.withoutMediaServer();
      await other.press('Start talking');
      expect(await other.problem()).toContain('Browser sessions aren’t set up on this server');
      expect(await newest(organization)).toBeUndefined();
    });

    test("lets a user join, be heard, read the agent's words and leave, and records the session like any call", async () => {
      const organization = await platform.newOrganization();
      const page = await opened(organization);
      await page.press('Start talking');
      await page.untilStatus('You are talking to Asha.', AGENT_COMES_WITHIN_MS);
      expect(await page.agentsWords()).toMatch(/^Namaste/);
      const rooms = new RoomServiceClient(media.url, media.apiKey, media.apiSecret, { failover: false });
      const { call_id: room } = await newest(organization);
      // The room service lists a track some time after the room has it.
      await eventually(10_000, async () => {
        const person = (await rooms.listParticipants(room)).find(({ identity }) => identity === 'web-user');
        expect(person?.tracks).toMatchObject([{ muted: false, mimeType: expect.stringMatching(/^audio/) }]);
      });
      await eventuallyTrue(10_000, 'the microphone shows', async () => (await page.microphoneLevel()) > 0);
      await eventually(NOTICED_WITHIN_MS, async () =>
        expect((await newest(organization)).call_status).toBe('in progress'),
      );
      await page.press('Stop');
      await page.untilStatus('You ended the conversation.', NOTICED_WITHIN_MS);
      const call = await untilOver(organization);
      expect(call).toMatchObject({
        call_type: 'Inbound',
        direction: 'Incoming',
        call_status: 'User disconnected',
        from_number: 'web-user',
        to_number: null,
      });
      expect(call.duration_ms).toBeGreaterThan(0);
      expect(page.faults).toEqual([]);
    });

    test('lets a manager listen to the call in the console without affecting it', async () => {
      const organization = await platform.newOrganization();
      const page = await opened(organization);
      await page.press('Start talking');
      await page.untilStatus('You are talking to Asha.', AGENT_COMES_WITHIN_MS);
      await eventually(NOTICED_WITHIN_MS, async () =>
        expect((await newest(organization)).call_status).toBe('in progress'),
      );
      const { call_id: room } = await newest(organization);
      const rooms = new RoomServiceClient(media.url, media.apiKey, media.apiSecret, { failover: false });
      const [first, second] = [
        await ListenerPage.open(browser, platform.stack.apiUrl, organization.key, room),
        await ListenerPage.open(browser, platform.stack.apiUrl, organization.key, room),
      ];
      await Promise.all([first.listen(), second.listen()]);
      const present = await rooms.listParticipants(room);
      expect([personIn(present)?.identity, present.filter(isAgent).length]).toEqual(['web-user', 1]);
      await first.stop();
      expect(await page.status()).toBe('You are talking to Asha.');
      await page.press('Stop');
      expect((await untilOver(organization)).call_status).toBe('User disconnected');
      await second.untilOver();
      expect([...page.faults, ...first.faults, ...second.faults]).toEqual([]);
    });

    test('names the missing models, and stores typed text in the record', async () => {
      const organization = await platform.newOrganization();
      const page = await opened(organization);
      await page.press('Type instead');
      await page.untilStatus('You are writing to Asha.', AGENT_COMES_WITHIN_MS);
      expect(await page.lacking()).toMatch(/can’t hear you.*has no voice.*has no language model/);
      expect(await page.agentsWords()).toMatch(/^Namaste/);
      await page.type('When is my instalment due?');
      await page.untilRecorded('When is my instalment due?');
      await page.press('Stop');
      await page.untilStatus('You ended the conversation.', NOTICED_WITHIN_MS);
      const { chat_history } = await untilOver(organization);
      expect(chat_history[0]).toMatchObject({ role: 'agent', content: expect.stringMatching(/^Namaste/) });
      expect(chat_history[1]).toMatchObject({
        role: 'user',
        content: 'When is my instalment due?',
        interrupted: false,
      });
      expect(page.faults).toEqual([]);
    });

    /** Opens a page whose conversation waits, because a phone call has the organization's only line. */
    async function waitingForLine() {
      const organization = await platform.newOrganization(1);
      const [endless = ''] = freshNumbers([73]);
      const phone = (await organization.dispatch(endless)).body.output.call_id as string;
      await eventuallyTrue(
        20_000,
        'the line is taken',
        () => platform.carrier([endless]).placed.length === 1,
      );
      const page = await opened(organization);
      await page.press('Start talking');
      await page.untilStatus('All lines are in use.', NOTICED_WITHIN_MS);
      return { organization, page, phone };
    }

    test('says that all lines are in use, and connects the agent when one becomes free', async () => {
      const { organization, page, phone } = await waitingForLine();
      await organization.post(`/api/calls/${phone}/hangup`);
      await page.untilStatus('You are talking to Asha.', AGENT_COMES_WITHIN_MS);
      await page.press('Stop');
      expect((await untilOver(organization)).call_status).toBe('User disconnected');
    });

    test.each([
      ['is closed', (page: TryPage) => page.leave()],
      ['is left for another page of the console', (page: TryPage) => page.follow('Calls')],
    ])('leaves no call behind if the page %s while it waits', async (_how, leave) => {
      const { organization, page, phone } = await waitingForLine();
      await leave(page);
      expect((await untilOver(organization)).call_status).toBe('cancelled');
      await organization.post(`/api/calls/${phone}/hangup`);
    });

    test("ends a session that no user joins with the status 'no answer'", async () => {
      const organization = await platform.newOrganization();
      const { status } = await organization.post('/api/trigger-call/', {
        agent_id: organization.agentId,
        medium: 'webrtc',
      });
      expect(status).toBe(200);
      expect(await untilOver(organization)).toMatchObject({ call_status: 'no answer', duration_ms: 0 });
    });

    test('leaves no room behind and no line in use', async () => {
      const rooms = new RoomServiceClient(media.url, media.apiKey, media.apiSecret, { failover: false });
      await eventually(ROOM_GONE_WITHIN_MS, async () =>
        expect((await rooms.listRooms()).map(({ name }) => name)).toEqual([]),
      );
      // LiveKit may report a lost room a little later.
      await eventually(NOTICED_WITHIN_MS, async () =>
        expect(await platform.db('lines').select('*')).toEqual([]),
      );
    });
  });
});
