import { spaced } from '../../../console/src/api/spaced';

describe('what is done at most once in a while', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is done at once, and for all that is asked meanwhile once more at the end', () => {
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

  test('is not done any more once it is stopped', () => {
    const work = jest.fn();
    const { ask, stop } = spaced(3_000, work);
    ask();
    ask();
    stop();
    jest.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
