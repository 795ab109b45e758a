import { PlatformApi } from '../../../agent/platform/platform-api';
import { callContextOf, FakePlatform, SECRET, TICKET } from '../support/fake-platform';

let platform: FakePlatform;

beforeAll(async () => {
  platform = await FakePlatform.open();
});
afterAll(() => platform.close());

test('reports that a call is over, but not when another agent has claimed the call', async () => {
  const api = new PlatformApi({ apiUrl: platform.url, secret: SECRET }, TICKET);
  platform.callContexts.set('outbound-1-a', callContextOf('outbound-1-a'));
  expect(await api.callContext('outbound-1-a')).toMatchObject({ kind: 'found' });
  platform.taken.add('outbound-1-a');
  expect(await api.isCallOver('outbound-1-a')).toBe(false);
  platform.taken.clear();
  platform.callContexts.set('outbound-1-a', 'over');
  expect(await api.isCallOver('outbound-1-a')).toBe(true);
});

test("fetches an action's secret headers for each request, and returns null when the API rejects the request", async () => {
  const api = new PlatformApi({ apiUrl: platform.url, secret: SECRET }, TICKET);
  platform.callContexts.set('outbound-1-b', callContextOf('outbound-1-b'));
  await api.callContext('outbound-1-b');
  platform.actionSecrets.set('stock', { 'X-Api-Key': 'first' });
  expect(await api.actionSecrets('outbound-1-b', 'stock')).toEqual({ 'X-Api-Key': 'first' });
  platform.actionSecrets.set('stock', { 'X-Api-Key': 'second' });
  expect(await api.actionSecrets('outbound-1-b', 'stock')).toEqual({ 'X-Api-Key': 'second' });
  expect(await api.actionSecrets('outbound-1-b', 'other')).toBeNull();
});
