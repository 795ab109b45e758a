import { spaced } from '../../../console/src/api/spaced';

describe('spaced()', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('runs the work immediately, and once more after the interval for all requests in between', () => {
    const work = jest.fn();
    const { ask } = spaced(3_000, work);
    ask();
    expect(work).toHaveBeenCalledTimes(1);
    ask();
    ask();
    jest.advanceTimersByTime(2_999);
    expect(work).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('does not run the work after stop()', () => {
    const work = jest.fn();
    const { ask, stop } = spaced(3_000, work);
    ask();
    ask();
    stop();
    jest.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
