import { outlineOf, peaksOf } from '../../../console/src/calls/waveform';
import { callFilters } from '../../../console/src/calls/filters';
import { daysOf } from '../../../console/src/campaigns/weekdays';

import {
  durationOf,
  inBothZones,
  instantInBothZones,
  instantOf,
  dayAfter,
} from '../../../console/src/format/time';
import { creditsOf, indented, percentOf, titleOf, valueOf } from '../../../console/src/format/values';

describe('numbers and times', () => {
  test('never rounds a positive share to 0 %, or an incomplete one to 100 %', () => {
    expect([
      percentOf(0, 9),
      percentOf(1, 1000),
      percentOf(999, 1000),
      percentOf(9, 9),
      percentOf(0, 0),
    ]).toEqual(['0 %', '1 %', '99 %', '100 %', '0 %']);
  });

  test('uses the singular for one credit, and shows small costs with decimals', () => {
    expect([creditsOf(1), creditsOf(0.0042), creditsOf(1200)]).toEqual([
      '1 credit',
      '0.0042 credits',
      '1,200 credits',
    ]);
  });

  test('includes the year if it is not the current one', () => {
    const now = new Date('2026-11-23T12:00:00Z');
    expect(instantOf('2026-11-02T05:00:00Z', now, 'Asia/Kolkata')).toBe('2 Nov, 10:30');
    expect(instantOf('2025-11-02T05:00:00Z', now, 'UTC')).toBe('2 Nov 2025, 05:00');
    expect(instantOf(null)).toBe('–');
  });

  test("adds the user's local time to each UTC time in an API sentence, with the day if it differs", () => {
    const now = new Date('2026-11-23T12:00:00Z');
    expect(
      inBothZones('dialling; due 2026-11-02 05:30 UTC, closes 2026-11-02 19:00 UTC', 'Asia/Kolkata', now),
    ).toBe(
      'dialling; due 2 Nov, 05:30 UTC (11:00 Asia/Kolkata), closes 2 Nov, 19:00 UTC (3 Nov, 00:30 Asia/Kolkata)',
    );
    expect(inBothZones('paused: waiting for resume', 'Asia/Kolkata', now)).toBe('paused: waiting for resume');
    expect(instantInBothZones('2025-11-02T05:30:00Z', 'UTC', now)).toBe('2 Nov 2025, 05:30 UTC');
  });

  test('rounds 59.7 seconds up to a full minute', () => {
    expect([durationOf(0), durationOf(59_700), durationOf(605_000)]).toEqual(['0:00', '1:00', '10:05']);
  });

  test('combines three or more consecutive days into a range', () => {
    expect(daysOf('monday,tuesday,wednesday,friday')).toBe('Mon–Wed, Fri');
    expect(daysOf('saturday,sunday')).toBe('Sat, Sun');
    expect(daysOf('monday,tuesday,wednesday,thursday,friday,saturday,sunday')).toBe('Every day');
  });

  test('formats data of unknown shape as text', () => {
    expect(valueOf({ day: 'Friday', wants_refund: true, tags: ['a', 2], none: null })).toBe(
      'Day: Friday; Wants refund: yes; Tags: a, 2; None: –',
    );
    expect(titleOf('avg_response_ms')).toBe('Avg response ms');
  });

  test('indents a JSON body, and returns other text unchanged', () => {
    expect(indented('{"a":1,"b":[]}')).toBe('{\n  "a": 1,\n  "b": []\n}');
    expect(indented('{"a":')).toBe('{"a":');
  });
});

describe('filters in the URL', () => {
  test('ignores invalid values', () => {
    const typed = { status: 'lost', from: '23.11.', to: '2026-11-30', page: '0', agent: '', campaign: 'c' };
    expect(callFilters(typed)).toEqual({
      status: undefined,
      agent: undefined,
      campaign: 'c',
      from: undefined,
      to: '2026-11-30',
      search: undefined,
      page: undefined,
    });
  });

  test('returns the next day, even at the end of a month', () => {
    expect(dayAfter('2026-11-30')).toBe('2026-12-01');
  });
});

describe('the waveform', () => {
  test('shows the loudest sample of each part', () => {
    expect(peaksOf(Float32Array.of(0.25, -0.5, 0, 0.125), 2)).toEqual([0.5, 0.125]);
  });

  test('shows silence as a line', () => {
    expect(outlineOf([0, 1], 50, 40)).toBe('M0,49.6L1,10.0L1,90.0L0,50.4Z');
  });
});
