import { ConnectionOutage } from '../../../agent/livekit/connection-outage';

const PHONE = { identity: 'callee', isSip: true, isAgent: false, attributes: {} };
const gone = (reason: string) => ({ kind: 'left', participant: PHONE, reason }) as const;

let emitted: string[];
let outage: ConnectionOutage;

beforeEach(() => {
  jest.useFakeTimers();
  emitted = [];
  outage = new ConnectionOutage(({ reason }) => void emitted.push(reason), 20_000);
});
afterEach(() => jest.useRealTimers());

test('reports at once that a participant has left when LiveKit gives a reason', () => {
  outage.left(gone('CLIENT_INITIATED'));
  expect(emitted).toEqual(['CLIENT_INITIATED']);
});

test('reports after 100 ms that a participant has left without a reason, if the agent is connected', () => {
  outage.left(gone('UNKNOWN_REASON'));
  expect(emitted).toEqual([]);
  jest.advanceTimersByTime(100);
  expect(emitted).toEqual(['UNKNOWN_REASON']);
});

test.each([
  ['before', (): void => (outage.left(gone('UNKNOWN_REASON')), outage.begin())],
  ['after', (): void => (outage.begin(), outage.left(gone('UNKNOWN_REASON')))],
])(
  'reports no departure when a participant disappears just %s an outage begins and returns afterwards',
  (_when, lose) => {
    lose();
    jest.advanceTimersByTime(60_000);
    outage.end();
    jest.advanceTimersByTime(19_000);
    expect([outage.cameBack('callee'), outage.cameBack('another')]).toEqual([true, false]);
    jest.advanceTimersByTime(60_000);
    expect(emitted).toEqual([]);
  },
);

test('reports a participant who does not return after the outage', () => {
  outage.begin();
  outage.left(gone('UNKNOWN_REASON'));
  outage.end();
  jest.advanceTimersByTime(19_999);
  expect(emitted).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(emitted).toEqual(['UNKNOWN_REASON']);
});

test('restarts the time limit after a second outage', () => {
  outage.begin();
  outage.left(gone('UNKNOWN_REASON'));
  outage.end();
  jest.advanceTimersByTime(10_000);
  outage.begin();
  jest.advanceTimersByTime(30_000);
  expect(emitted).toEqual([]);
});

test('returns the start of the outage until the connection is back', () => {
  jest.setSystemTime(1_000);
  expect(outage.lostAt).toBeNull();
  outage.begin();
  jest.advanceTimersByTime(5_000);
  outage.begin();
  expect(outage.lostAt).toBe(1_000);
  outage.end();
  expect(outage.lostAt).toBeNull();
});

test("reports no participant as gone when the connection can't be restored", () => {
  outage.begin();
  outage.left(gone('UNKNOWN_REASON'));
  outage.close();
  jest.advanceTimersByTime(60_000);
  expect(emitted).toEqual([]);
});
