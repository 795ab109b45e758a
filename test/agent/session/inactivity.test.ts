import { EndPhraseTimer } from '../../../agent/session/turns/end-phrase';
import {
  InactivityMonitor,
  IdleTimer,
  idleMs,
  idleSettingsOf,
} from '../../../agent/session/turns/inactivity';
import { resolveConfig } from '../../../domain/agent-config';

const stored = (idle_conversation_settings: object) =>
  resolveConfig({ experience: { settings: { idle_conversation_settings } } });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the idle timer', () => {
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
  ])('reads the settings of the idle timer from %j', (settings, read) =>
    expect(idleSettingsOf(stored(settings))).toEqual(read),
  );

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

  test('warns an idle user, then hangs up', () => {
    const { idle, calls } = watched();
    idle.start();
    jest.advanceTimersByTime(5_000);
    expect(calls).toEqual(['There?']);
    jest.advanceTimersByTime(7_000);
    expect(calls).toEqual(['There?', 'Bye.']);
    expect(idleMs(SETTINGS)).toBe(12_000);
  });

  test("restarts the idle timer with each word of the user, but not with the agent's words", () => {
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

  test('stops the idle timer while either party speaks', () => {
    const { idle, calls } = watched();
    idle.start();
    idle.reset(true);
    jest.advanceTimersByTime(60_000);
    expect(calls).toEqual([]);
  });
});

describe('the silence limit', () => {
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

  test('counts silence from start(), while both parties are silent', () => {
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

  test('starts the silence limit after the configured idle warning and hang-up', () => {
    const { quiet, silences } = watched({ pulse_check: true, idle_call_warning_timeout: 5 });
    quiet.start();
    jest.advanceTimersByTime(5_999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });

  test('waits eight times as long for a user who types', () => {
    const { quiet, silences } = watched();
    quiet.start();
    quiet.textReceived();
    jest.advanceTimersByTime(7_999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });
});

describe('the end-call phrase', () => {
  const watched = () => {
    let ends = 0;
    const watch = new EndPhraseTimer({ phrase: 'bye', hangUpAfterMs: 2_000 }, () => (ends += 1));
    return { watch, ends: () => ends };
  };
  test('ends the conversation after the configured delay when the agent says the phrase', () => {
    const { watch, ends } = watched();
    watch.onSegment('agent', 'Bye.');
    jest.advanceTimersByTime(1_999);
    expect(ends()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(ends()).toBe(1);
  });
  test("ends the conversation after the agent's answer when the user says the phrase", () => {
    const { watch, ends } = watched();
    watch.onSegment('user', 'bye');
    jest.advanceTimersByTime(5_000);
    watch.agentFinished();
    jest.advanceTimersByTime(1_999);
    expect(ends()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(ends()).toBe(1);
  });
  test('ends the conversation even if the agent does not answer', () => {
    const { watch, ends } = watched();
    watch.onSegment('user', 'bye');
    jest.advanceTimersByTime(12_000);
    expect(ends()).toBe(1);
  });
});
