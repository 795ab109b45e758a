import { givenServerChecks } from '../../../dev/doctor/given-server-checks';

const notesOf = async (environment: NodeJS.ProcessEnv): Promise<string[]> =>
  (await givenServerChecks(environment)).filter(({ state }) => state === 'note').map(({ title }) => title);

describe('the doctor', () => {
  test('warns about permissive defaults of a platform that uses LiveKit', async () => {
    expect(await notesOf({ LIVEKIT_URL: 'ws://127.0.0.1:1' })).toEqual(['NUMBERS', 'SIP_INBOUND_ADDRESSES']);
  });

  test('has no warning if numbers are registered and inbound addresses are listed', async () => {
    const closed = { NUMBERS: 'registered', SIP_INBOUND_ADDRESSES: '192.0.2.0/24' };
    expect(await notesOf({ LIVEKIT_URL: 'ws://127.0.0.1:1', ...closed })).toEqual([]);
  });

  test('has no warning if the user has no platform', async () => {
    expect(await notesOf({})).toEqual([]);
  });
});
