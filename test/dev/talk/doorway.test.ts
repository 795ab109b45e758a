import { freePort, releasePort } from '../../../dev/stack/ports';
import { openDoorway, type Doorway } from '../../../dev/talk/doorway';

let doorway: Doorway;
let port: number;
let issued: number;
let used: string[];

beforeEach(async () => {
  issued = 0;
  used = [];
  port = await freePort(0);
  doorway = await openDoorway({
    port,
    pageUrl: 'http://127.0.0.1:8080/console/try',
    issueSignIn: () => Promise.resolve(`token_${(issued += 1)}`),
    onUsed: (agentId) => used.push(agentId),
  });
});
afterEach(async () => {
  await doorway.close();
  releasePort(port);
});

const open = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { redirect: 'manual', ...init });

test("redirects an address once to the agent's page, with a new sign-in token only in the fragment", async () => {
  const address = doorway.addressFor('front-desk');
  expect(address).not.toContain('token_');
  const first = await open(address);
  expect([first.status, first.headers.get('location')]).toEqual([
    303,
    'http://127.0.0.1:8080/console/try?agent=front-desk#sign-in=token_1',
  ]);
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect((await open(address)).status).toBe(410);
  expect([issued, used]).toEqual([1, ['front-desk']]);
});

test('rejects a wrong token, another method and a prefetch without using up the address', async () => {
  const address = doorway.addressFor('survey');
  const guess = `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`;
  expect((await open(guess)).status).toBe(410);
  expect((await open(address, { method: 'HEAD' })).status).toBe(405);
  expect((await open(address, { headers: { Purpose: 'prefetch' } })).status).toBe(405);
  expect([issued, (await open(address)).status]).toEqual([0, 303]);
});
