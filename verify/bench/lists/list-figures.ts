/** Builds the figures of the lists and their goals. */
import { figure, type Figure } from '../figure';
import { columns, number } from '../table';
import type { PageLoad } from './console-pages';
import type { DialPath } from './dial-path';
import {
  count,
  type ListsMeasurement,
  type ListTimes,
  type OtherTimes,
  type PagePosition,
  type PageTimes,
} from './measure-lists';

/** Allowed growth from the smaller to the larger size. A middle page has no goal, because Postgres must scan to it. */
const MAX_GROWTH: Record<PagePosition, number | null> = { first: 1.3, middle: null, last: 5 };

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
    MAX_GROWTH[page.position],
  );

const otherGrowth = ({ name, isCounted, small, large }: OtherTimes): Figure =>
  figure(
    `${name}: growth over HTTP`,
    large.overHttpMs / small.overHttpMs,
    'x',
    isCounted ? null : MAX_GROWTH.first,
  );

const dialGrowth = ({ smallMs, largeMs }: DialPath): Figure =>
  figure('a call from claim to end: growth', largeMs / smallMs, 'x', MAX_GROWTH.first);

/** Gives each value a separate name, for other programs. */
export function listFigures({
  small,
  large,
  pages,
  others,
  consolePages,
  dialPath,
}: ListsMeasurement): Figure[] {
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
    ...others.flatMap((other) => [
      ...timesOf(`${other.name} of ${count(small.calls)}`, other.small),
      ...timesOf(`${other.name} of ${count(large.calls)}`, other.large),
      otherGrowth(other),
    ]),
    figure(`a call from claim to end beside ${count(small.calls)}`, dialPath.smallMs, 'ms'),
    figure(`a call from claim to end beside ${count(large.calls)}`, dialPath.largeMs, 'ms'),
    dialGrowth(dialPath),
    ...consolePages.map(loadOf),
  ];
}

/** Limit for a console page, from its first request to its last response. */
const MAX_LOAD_MS = 200;

const loadOf = ({ name, p95Ms }: PageLoad): Figure =>
  figure(`console, ${name}: p95`, p95Ms, 'ms', MAX_LOAD_MS);

const HEAD = ['list', 'rows', 'over HTTP', 'its SQL', 'bare SQL', 'growth', 'goal', ''];

/** Returns a table with a row for each page and size. */
export function listTable({ small, large, pages, others, consolePages, dialPath }: ListsMeasurement): string {
  const ms = (value: number | null) => (value === null ? '' : `${number(value)} ms`);
  const cells = ({ overHttpMs, sqlMs, bareMs }: ListTimes) => [ms(overHttpMs), ms(sqlMs), ms(bareMs)];
  const growthCells = ({ value, goal, holds }: Figure) => [
    `${number(value)} x`,
    goal === null ? '' : `<= ${goal}`,
    holds === null ? '' : holds ? 'holds' : 'DOES NOT HOLD',
  ];
  const ofPages = pages.flatMap((page) => {
    const { length } = page.kind;
    return [
      [nameOf(page), count(length(small)), ...cells(page.small), '', '', ''],
      ['', count(length(large)), ...cells(page.large), ...growthCells(growthOf(page))],
    ];
  });
  const ofOthers = others.flatMap((other) => [
    [other.name, count(small.calls), ...cells(other.small), '', '', ''],
    ['', count(large.calls), ...cells(other.large), ...growthCells(otherGrowth(other))],
  ]);
  const ofDials = [
    ['a call from claim to end', count(small.calls), '', ms(dialPath.smallMs), '', '', '', ''],
    ['', count(large.calls), '', ms(dialPath.largeMs), '', ...growthCells(dialGrowth(dialPath))],
  ];
  const calls = `With ${count(large.calls)} calls or ${count(large.agents)} agents:`;
  const ofConsole = consolePages.map(loadOf).map(({ name, value, holds }) => {
    const verdict = holds === true ? 'holds' : 'DOES NOT HOLD';
    return [name, '', ms(value), '', '', '', `<= ${MAX_LOAD_MS}`, verdict];
  });
  return columns([HEAD, ...ofPages, ...ofOthers, ...ofDials, [calls], ...ofConsole], [1, 2, 3, 4, 5]);
}
