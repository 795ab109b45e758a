import { givenServerChecks } from '../../../dev/doctor/given-server-checks';

const notesOf = async (environment: NodeJS.ProcessEnv): Promise<string[]> =>
  (await givenServerChecks(environment)).filter(({ state }) => state === 'note').map(({ title }) => title);

describe('the doctor', () => {
  test('notes what a platform over LiveKit leaves open', async () => {
    expect(await notesOf({ LIVEKIT_URL: 'ws://127.0.0.1:1' })).toEqual(['NUMBERS', 'SIP_INBOUND_ADDRESSES']);
  });

  test('notes nothing when numbers are registered and callers come from listed addresses', async () => {
    const closed = { NUMBERS: 'registered', SIP_INBOUND_ADDRESSES: '192.0.2.0/24' };
    expect(await notesOf({ LIVEKIT_URL: 'ws://127.0.0.1:1', ...closed })).toEqual([]);
  });

  test('notes nothing without a platform of its own', async () => {
    expect(await notesOf({})).toEqual([]);
  });
});
