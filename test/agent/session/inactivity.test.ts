import { EndPhraseTimer } from '../../../agent/session/turns/end-phrase-timer';
import { IdleTimer, idleMs, idleSettingsOf } from '../../../agent/session/turns/idle-timer';
import { InactivityMonitor } from '../../../agent/session/turns/inactivity-monitor';
import { resolveConfig } from '../../../workflows/domain/agent-config';

const stored = (idle_conversation_settings: object) =>
  resolveConfig({ experience: { settings: { idle_conversation_settings } } });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('an idle conversation', () => {
  test.each([
    [{}, { warning: null, hangUp: null }],
    [{ pulse_check: true }, { warning: { afterMs: 10_000, message: 'Are you still there?' }, hangUp: null }],
    [
      {
        pulse_check: true,
        idle_call_warning_timeout: 1,
        end_conversation_on_idle: true,
        idle_call_hangup_timeout: 99,
      },
      {
        warning: { afterMs: 5_000, message: 'Are you still there?' },
        hangUp: { afterMs: 60_000, message: '' },
      },
    ],
  ])('is settled by %j', (settings, read) => expect(idleSettingsOf(stored(settings))).toEqual(read));

  const SETTINGS = {
    warning: { afterMs: 5_000, message: 'There?' },
    hangUp: { afterMs: 7_000, message: 'Bye.' },
  };
  const watched = () => {
    const calls: string[] = [];
    const idle = new IdleTimer(SETTINGS, {
      warn: (message) => calls.push(message),
      hangUp: (message) => calls.push(message),
    });
    return { idle, calls };
  };

  test('is warned of, then hung up', () => {
    const { idle, calls } = watched();
    idle.start();
    jest.advanceTimersByTime(5_000);
    expect(calls).toEqual(['There?']);
    jest.advanceTimersByTime(7_000);
    expect(calls).toEqual(['There?', 'Bye.']);
    expect(idleMs(SETTINGS)).toBe(12_000);
  });

  test('begins anew with each word of the other side, and not with those of the agent', () => {
    const { idle, calls } = watched();
    idle.start();
    jest.advanceTimersByTime(5_000);
    idle.reset(false);
    idle.start();
    jest.advanceTimersByTime(5_000);
    expect(calls).toEqual(['There?']);
    idle.reset(true);
    idle.start();
    jest.advanceTimersByTime(5_000);
    expect(calls).toEqual(['There?', 'There?']);
  });

  test('is none while somebody speaks', () => {
    const { idle, calls } = watched();
    idle.start();
    idle.reset(true);
    jest.advanceTimersByTime(60_000);
    expect(calls).toEqual([]);
  });
});

describe('the last resort', () => {
  const watched = (idle: object = {}) => {
    let silences = 0;
    const quiet = new InactivityMonitor({
      silenceMs: 1_000,
      idle: idleSettingsOf(stored(idle)),
      handlers: { warn: () => undefined, hangUp: () => undefined },
      onSilence: () => (silences += 1),
    });
    return { quiet, silences: () => silences };
  };

  test('counts from its beginning, while neither side speaks', () => {
    const { quiet, silences } = watched();
    jest.advanceTimersByTime(5_000);
    quiet.start();
    jest.advanceTimersByTime(900);
    quiet.setAgentBusy(true);
    jest.advanceTimersByTime(5_000);
    quiet.setAgentBusy(false);
    jest.advanceTimersByTime(999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });

  test('comes after what the owner of the agent wants to happen', () => {
    const { quiet, silences } = watched({ pulse_check: true, idle_call_warning_timeout: 5 });
    quiet.start();
    jest.advanceTimersByTime(5_999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });

  test('is eight times as far for those who type', () => {
    const { quiet, silences } = watched();
    quiet.start();
    quiet.textReceived();
    jest.advanceTimersByTime(7_999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });
});

describe('after the phrase that ends it', () => {
  const watched = () => {
    let ends = 0;
    const watch = new EndPhraseTimer({ phrase: 'bye', hangUpAfterMs: 2_000 }, () => (ends += 1));
    return { watch, ends: () => ends };
  };
  test('of the agent the conversation goes on for its time', () => {
    const { watch, ends } = watched();
    watch.onSegment('agent', 'Bye.');
    jest.advanceTimersByTime(1_999);
    expect(ends()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(ends()).toBe(1);
  });
  test('of the other side the agent may answer first', () => {
    const { watch, ends } = watched();
    watch.onSegment('user', 'bye');
    jest.advanceTimersByTime(5_000);
    watch.agentFinished();
    jest.advanceTimersByTime(1_999);
    expect(ends()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(ends()).toBe(1);
  });
  test('of the other side it ends without an answer too', () => {
    const { watch, ends } = watched();
    watch.onSegment('user', 'bye');
    jest.advanceTimersByTime(12_000);
    expect(ends()).toBe(1);
  });
});
