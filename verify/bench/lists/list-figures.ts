/** What is reported of the lists, with their goals. */
import { figure, type Figure } from '../figure';
import { columns, number } from '../table';
import type { PageLoad } from './console-pages';
import {
  count,
  type ListsMeasurement,
  type ListTimes,
  type PagePosition,
  type PageTimes,
} from './measure-lists';

/** How many times as long a page may take at the larger size. No goal for a middle page, which must be walked to. */
const MOST_GROWTH: Record<PagePosition, number | null> = { first: 1.3, middle: null, last: 5 };

const PAGE_NAMES: Record<PagePosition, string> = {
  first: 'page 1',
  middle: 'middle page',
  last: 'last page',
};

const nameOf = ({ kind, position }: PageTimes): string => `${kind.name}, ${PAGE_NAMES[position]}`;

const growthOf = (page: PageTimes): Figure =>
  figure(
    `${nameOf(page)}: growth over HTTP`,
    page.large.overHttpMs / page.small.overHttpMs,
    'x',
    MOST_GROWTH[page.position],
  );

/** Each value by a name of its own, for other programs. */
export function listFigures({ small, large, pages, others, consolePages }: ListsMeasurement): Figure[] {
  const timesOf = (name: string, { overHttpMs, sqlMs, bareMs }: ListTimes) => [
    figure(`${name}, over HTTP`, overHttpMs, 'ms'),
    figure(`${name}, its SQL`, sqlMs, 'ms'),
    ...(bareMs === null ? [] : [figure(`${name}, bare SQL`, bareMs, 'ms')]),
  ];
  return [
    ...pages.flatMap((page) => [
      ...timesOf(`${nameOf(page)} of ${count(page.kind.length(small))}`, page.small),
      ...timesOf(`${nameOf(page)} of ${count(page.kind.length(large))}`, page.large),
      growthOf(page),
    ]),
    ...others.flatMap(({ name, times }) => timesOf(name, times)),
    ...consolePages.map(loadOf),
  ];
}

/** Of a page of the console, from its first request to its last answer. */
const MOST_LOAD_MS = 200;

const loadOf = ({ name, p95Ms }: PageLoad): Figure =>
  figure(`console, ${name}: p95`, p95Ms, 'ms', MOST_LOAD_MS);

const HEAD = ['list', 'rows', 'over HTTP', 'its SQL', 'bare SQL', 'growth', 'goal', ''];

/** For a reader: a row for each page and size. */
export function listTable({ small, large, pages, others, consolePages }: ListsMeasurement): string {
  const ms = (value: number | null) => (value === null ? '' : `${number(value)} ms`);
  const cells = ({ overHttpMs, sqlMs, bareMs }: ListTimes) => [ms(overHttpMs), ms(sqlMs), ms(bareMs)];
  const ofPages = pages.flatMap((page) => {
    const { value, goal, holds } = growthOf(page);
    const verdict = holds === null ? '' : holds ? 'holds' : 'DOES NOT HOLD';
    const growth = [`${number(value)} x`, goal === null ? '' : `<= ${goal}`, verdict];
    const { length } = page.kind;
    return [
      [nameOf(page), count(length(small)), ...cells(page.small), '', '', ''],
      ['', count(length(large)), ...cells(page.large), ...growth],
    ];
  });
  const ofOthers = others.map(({ name, times }) => [name, '', ...cells(times), '', '', '']);
  const calls = `Of ${count(large.calls)} calls or ${count(large.agents)} agents:`;
  const ofConsole = consolePages.map(loadOf).map(({ name, value, holds }) => {
    const verdict = holds === true ? 'holds' : 'DOES NOT HOLD';
    return [name, '', ms(value), '', '', '', `<= ${MOST_LOAD_MS}`, verdict];
  });
  return columns([HEAD, ...ofPages, [calls], ...ofOthers, ...ofConsole], [1, 2, 3, 4, 5]);
}
