import { throttle } from '../../../console/src/api/throttle';

describe('throttle()', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('runs the work immediately, and once more at the end of the interval if it was requested again', () => {
    const work = jest.fn();
    const { request } = throttle(3_000, work);
    request();
    expect(work).toHaveBeenCalledTimes(1);
    request();
    request();
    jest.advanceTimersByTime(2_999);
    expect(work).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('does not run the work after stop()', () => {
    const work = jest.fn();
    const { request, stop } = throttle(3_000, work);
    request();
    request();
    stop();
    jest.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
