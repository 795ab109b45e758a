import { nextStepLines, type NextSteps } from '../../../dev/demo/next-steps';
import { storyLines } from '../../../dev/demo/story';
import { PLAIN_STYLE } from '../../../dev/demo/style';

const CALL = { to_number: '+916100000075', duration_ms: 0, call_dialing_at: '2026-11-20T10:00:00.000Z' };
const clock = (iso: string) => new Date(iso).toTimeString().slice(0, 8);

test('shows how long each call of a contact rang and talked, in local time', () => {
  const calls = [
    {
      ...CALL,
      call_id: 'a',
      call_status: 'no answer',
      call_ringing_at: '2026-11-20T10:00:00.200Z',
      user_picked_up_at: null,
      End_time: '2026-11-20T10:00:03.200Z',
    },
    {
      ...CALL,
      call_id: 'b',
      call_status: 'completed',
      duration_ms: 4_120,
      call_ringing_at: '2026-11-20T10:00:10.000Z',
      user_picked_up_at: '2026-11-20T10:00:11.500Z',
      End_time: '2026-11-20T10:00:15.620Z',
    },
  ];
  const story = { name: 'Saanvi Rao', phone: '+916100000075', city: 'Thane', calls };
  expect(storyLines(story, PLAIN_STYLE)).toEqual([
    'Saanvi Rao, Thane, +916100000075',
    `  ${clock('2026-11-20T10:00:00Z')}  call 1  rang 3.0 s, no answer`,
    `  ${clock('2026-11-20T10:00:00Z')}  call 2  rang 1.5 s, answered at ${clock('2026-11-20T10:00:11Z')}, ` +
      'talked 4.1 s: completed',
  ]);
});

test('shows only the status of a call that never rang', () => {
  const call = { ...CALL, call_id: 'a', call_status: 'busy', call_ringing_at: null, user_picked_up_at: null };
  const story = {
    name: 'A',
    phone: '1',
    city: 'B',
    calls: [{ ...call, call_dialing_at: null, End_time: null }],
  };
  expect(storyLines(story, PLAIN_STYLE)[1]).toBe('  --:--:--  call 1  busy');
});

describe('next steps', () => {
  const NEXT: NextSteps = {
    apiUrl: 'http://127.0.0.1:8081',
    consoleLink: 'http://127.0.0.1:8081/console/#sign-in=once',
    key: 'vap_key',
    agentId: 'agent-1',
    campaignId: 'c1',
    callId: 'outbound-1',
    numberToTry: '+916100000000',
    temporalAddress: '127.0.0.1:7233',
    temporalUiUrl: 'http://127.0.0.1:8233',
    temporalNamespace: 'default',
    dataFolder: '/somewhere/.data',
    cleanCommand: 'npm run clean',
  };
  const text = (differences: Partial<NextSteps> = {}) =>
    nextStepLines({ ...NEXT, ...differences }, PLAIN_STYLE).join('\n');

  test('prints each curl command on one line with its API key', () => {
    const curls = text()
      .split('\n')
      .filter((line) => line.includes('curl'));
    expect(curls).toHaveLength(3);
    for (const curl of curls) expect(curl).toContain("-H 'X-API-Key: vap_key' ");
  });

  test('links to the campaign’s workflow in the Temporal UI', () => {
    expect(text()).toContain('http://127.0.0.1:8233/namespaces/default/workflows/campaign-c1');
  });

  test('shows only the address of a Temporal server that the demo did not start', () => {
    expect(text({ temporalUiUrl: null })).toContain('127.0.0.1:7233 (not started by this command)');
  });
});
