import { EndWatch } from '../../../agent/voice/end-watch';
import { Idle, idleMs, idleSettingsOf } from '../../../agent/voice/idle';
import { QuietWatch } from '../../../agent/voice/quiet-watch';
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
    const deeds: string[] = [];
    const idle = new Idle(SETTINGS, {
      warn: (message) => deeds.push(message),
      hangUp: (message) => deeds.push(message),
    });
    return { idle, deeds };
  };

  test('is warned of, then hung up', () => {
    const { idle, deeds } = watched();
    idle.quiet();
    jest.advanceTimersByTime(5_000);
    expect(deeds).toEqual(['There?']);
    jest.advanceTimersByTime(7_000);
    expect(deeds).toEqual(['There?', 'Bye.']);
    expect(idleMs(SETTINGS)).toBe(12_000);
  });

  test('begins anew with each word of the other side, and not with those of the agent', () => {
    const { idle, deeds } = watched();
    idle.quiet();
    jest.advanceTimersByTime(5_000);
    idle.busy(false);
    idle.quiet();
    jest.advanceTimersByTime(5_000);
    expect(deeds).toEqual(['There?']);
    idle.busy(true);
    idle.quiet();
    jest.advanceTimersByTime(5_000);
    expect(deeds).toEqual(['There?', 'There?']);
  });

  test('is none while somebody speaks', () => {
    const { idle, deeds } = watched();
    idle.quiet();
    idle.busy(true);
    jest.advanceTimersByTime(60_000);
    expect(deeds).toEqual([]);
  });
});

describe('the last resort', () => {
  const watched = (idle: object = {}) => {
    let silences = 0;
    const quiet = new QuietWatch({
      silenceMs: 1_000,
      idle: idleSettingsOf(stored(idle)),
      deeds: { warn: () => undefined, hangUp: () => undefined },
      onSilence: () => (silences += 1),
    });
    return { quiet, silences: () => silences };
  };

  test('counts from its beginning, while neither side speaks', () => {
    const { quiet, silences } = watched();
    jest.advanceTimersByTime(5_000);
    quiet.begin();
    jest.advanceTimersByTime(900);
    quiet.agent(true);
    jest.advanceTimersByTime(5_000);
    quiet.agent(false);
    jest.advanceTimersByTime(999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });

  test('comes after what the owner of the agent wants to happen', () => {
    const { quiet, silences } = watched({ pulse_check: true, idle_call_warning_timeout: 5 });
    quiet.begin();
    jest.advanceTimersByTime(5_999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });

  test('is eight times as far for those who type', () => {
    const { quiet, silences } = watched();
    quiet.begin();
    quiet.isTyped();
    jest.advanceTimersByTime(7_999);
    expect(silences()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silences()).toBe(1);
  });
});

describe('after the phrase that ends it', () => {
  const watched = () => {
    let ends = 0;
    const watch = new EndWatch({ phrase: 'bye', hangUpAfterMs: 2_000 }, () => (ends += 1));
    return { watch, ends: () => ends };
  };
  test('of the agent the conversation goes on for its time', () => {
    const { watch, ends } = watched();
    watch.said('agent', 'Bye.');
    jest.advanceTimersByTime(1_999);
    expect(ends()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(ends()).toBe(1);
  });
  test('of the other side the agent may answer first', () => {
    const { watch, ends } = watched();
    watch.said('user', 'bye');
    jest.advanceTimersByTime(5_000);
    watch.agentDone();
    jest.advanceTimersByTime(1_999);
    expect(ends()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(ends()).toBe(1);
  });
  test('of the other side it ends without an answer too', () => {
    const { watch, ends } = watched();
    watch.said('user', 'bye');
    jest.advanceTimersByTime(12_000);
    expect(ends()).toBe(1);
  });
});
