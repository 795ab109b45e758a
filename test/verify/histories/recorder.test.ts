import { readCommandLine } from '../../../verify/histories/command-line';
import { historyText } from '../../../verify/histories/history-file';
import { scriptFor } from '../../../dev/simulator/numbers';
import { numberEnding, talkers } from '../../../verify/histories/numbers';

describe('the command line', () => {
  test('replays what runs, for which neither a folder nor a version means anything', () => {
    expect(readCommandLine(['--running'])).toEqual({ kind: 'running' });
    for (const option of ['--into', '--version']) {
      expect(() => readCommandLine(['--running', option, 'x'])).toThrow('--running records nothing');
    }
  });

  test('records into a folder and under a version of its own choice, and takes others', () => {
    const recorder = { kind: 'record', into: 'test/workflows/histories', version: null };
    expect(readCommandLine([])).toEqual(recorder);
    const named = ['--into', 'x', '--version', '2.0'];
    expect(readCommandLine(named)).toEqual({ ...recorder, into: 'x', version: '2.0' });
    expect(readCommandLine(['--help'])).toEqual({ kind: 'help' });
    expect(() => readCommandLine(['--verison', '2'])).toThrow("Unknown option '--verison'");
  });
});

describe('a recorded history', () => {
  const history = {
    events: [
      {
        eventId: 1,
        eventType: 11,
        activityTaskStartedEventAttributes: {
          scheduledEventId: 1,
          identity: '4711@a-host.example',
          lastFailure: {
            message: 'no answer',
            stackTrace: 'at /home/somebody/worker.js:1',
            source: 'TypeScriptSDK',
          },
        },
      },
      {
        eventId: 2,
        eventType: 12,
        activityTaskCompletedEventAttributes: { identity: '4711@a-host.example' },
      },
    ],
  };

  test('has one event a line, which is JSON as a whole', () => {
    const text = historyText(history as any);
    expect(text.trimEnd().split('\n')).toHaveLength(4);
    expect(JSON.parse(text).events.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['1', '2']);
  });

  test('names neither the host nor its files, and keeps why something failed', () => {
    const text = historyText(history as any);
    expect(text).not.toMatch(/a-host|4711|somebody/);
    expect(text).toContain('no answer');
  });
});

test('numbers are given out once, and end as asked', () => {
  const numbers = [...talkers(3), numberEnding(99), numberEnding(99)];
  expect(new Set(numbers).size).toBe(5);
  expect(numbers.map((number) => scriptFor(number).events)).toEqual([
    'in_order',
    'in_order',
    'in_order',
    'never_ended',
    'never_ended',
  ]);
  for (const number of numbers) expect(number).toMatch(/^\+91610\d{7}$/);
});
