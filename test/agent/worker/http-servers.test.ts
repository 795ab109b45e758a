import { serveHealth } from '../../../agent/worker/http-servers';

async function answersOf(health: { isRegistered: boolean; fault: string | null }, path: string) {
  const { port, server } = await serveHealth(0, {
    isRegistered: () => health.isRegistered,
    fault: health.fault,
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, await answer.json()];
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const OK = [200, { status: 'ok' }];
const UNAVAILABLE = [503, { status: 'unavailable' }];

describe('the health server', () => {
  test.each([
    ['/readyz', { isRegistered: true, fault: null }, OK],
    ['/readyz', { isRegistered: false, fault: null }, UNAVAILABLE],
    ['/registered', { isRegistered: true, fault: 'no voice' }, OK],
    ['/registered', { isRegistered: false, fault: null }, UNAVAILABLE],
    ['/healthz', { isRegistered: false, fault: 'no voice' }, OK],
    ['/other', { isRegistered: true, fault: null }, [404, { status: 'unavailable' }]],
  ])('responds to %s for a worker in the state %j', async (path, health, expected) => {
    expect(await answersOf(health, path)).toEqual(expected);
  });

  test("reports why a registered worker can't hold conversations", async () => {
    expect(await answersOf({ isRegistered: true, fault: 'set AGENT_TTS' }, '/readyz')).toEqual([
      503,
      { status: 'unavailable', reason: 'set AGENT_TTS' },
    ]);
  });
});
